import { expect, test } from 'vitest';
import { follow, path } from './drawing';
import { across, carried, counterpart, deed, offers, readSetup, SQUARES, writeSetup } from './notation';
import type { Piece } from './shown';
import { left, move, put, remove, turn } from './setup';

const CLASSIC = String.raw`xS3aSkSaSpSE2 2pSW7 3PNW6 pNE1PSW1s\s/1pSE1PNW pSE1PNW1S/S\1pNE1PSW 6pSE3 7PNE2 2PNWANKNAN3XN`;
const key = (pieces: Piece[]) => pieces.map((piece) => Object.values(piece).join()).toSorted();
const classic = readSetup(CLASSIC);

test('a setup is read as it was written, short or as a diagram', () => {
  expect(classic).toHaveLength(26);
  expect(classic[0]).toEqual({ square: 'A8', colour: 1, kind: 'X', facing: 'S' });
  expect(readSetup(writeSetup(classic))).toEqual(classic);
});

test('half a setup is read as far as it goes', () => {
  expect(readSetup('9kS ?')).toEqual([{ square: 'J8', colour: 1, kind: 'K', facing: 'S' }]);
  expect(readSetup('')).toEqual([]);
});

test('across the board and back, a piece is itself; the classic setup is its own counterpart', () => {
  for (const square of SQUARES) expect(across(across(square))).toBe(square);
  for (const piece of classic) expect(counterpart(counterpart(piece))).toEqual(piece);
  expect(key(classic.map(counterpart))).toEqual(key(classic));
});

test('actions are grouped by the piece that carries them out', () => {
  expect(offers(['H2-G1', 'H2+', 'J1-']).get('H2')).toEqual({ steps: ['G1'], clockwise: true, counter: false });
  expect(offers(['J1-']).get('J1')).toEqual({ steps: [], clockwise: false, counter: true });
});

test.each([
  ['H2-G1', 'G1', 'NE'],
  ['H2+', 'H2', 'SE'],
  ['H2-', 'H2', 'NW'],
])('%s is carried out before the laser fires', (action, square, facing) => {
  const after = carried(classic, deed(action));
  expect(after).toContainEqual({ square, colour: 0, kind: 'P', facing });
  expect(after).toHaveLength(classic.length);
});

test('a swap changes two places and turns nothing', () => {
  const there = new Map(
    carried(readSetup('S/pNE'), deed('A8-B8')).map((piece) => [piece.square, piece.kind + piece.facing]),
  );
  expect([there.get('A8'), there.get('B8')]).toEqual(['PNE', 'S/']);
});

test('figures keep their numbers through moves, and turn the way they were turned', () => {
  const start = follow([], classic, 1);
  const moved = follow(start, carried(classic, deed('H2-G1')), 1);
  expect(moved.find(({ square }) => square === 'G1')!.id).toBe(start.find(({ square }) => square === 'H2')!.id);
  for (const spin of [1, -1]) {
    const action = spin === 1 ? 'E4+' : 'E4-';
    const turned = follow(start, carried(classic, deed(action)), spin).find(({ square }) => square === 'E4')!;
    expect(turned.turn - start.find(({ square }) => square === 'E4')!.turn).toBe(90 * spin);
  }
});

test('a beam is drawn from the muzzle to the edge where it is lost, flipped or not', () => {
  expect(path('J1', ['J2'], 'E', false).at(-1)).toEqual({ x: 1003, y: 650 });
  expect(path('J1', ['J2'], 'E', true).at(-1)).toEqual({ x: -3, y: 150 });
  expect(path('J1', ['J2'], '', false)).toEqual([
    { x: 950, y: 706 },
    { x: 950, y: 650 },
  ]);
});

test('edits in pairs keep a symmetric setup symmetric', () => {
  const pyramid: Piece = { square: 'C3', colour: 0, kind: 'P', facing: 'NE' };
  const some = readSetup('5kS4 10 10 10 10 10 10 4KN5');
  for (const after of [
    put(some, pyramid, true),
    move(put(some, pyramid, true), 'C3', 'D4', true),
    turn(put(some, pyramid, true), 'C3', true, true),
    remove(some, 'E1', true),
  ])
    expect(key(after.map(counterpart))).toEqual(key(after));
});

test('edits one by one leave the other side alone', () => {
  const pyramid: Piece = { square: 'C3', colour: 0, kind: 'P', facing: 'NE' };
  expect(put([], pyramid, false)).toEqual([pyramid]);
  expect(remove(classic, 'E1', false)).toHaveLength(25);
  expect(key(turn(classic, 'E1', true, false))).not.toEqual(key(classic));
});

test('the box says what is left, and a pair takes no more than it holds', () => {
  expect(left(classic, 'P', 0)).toBe(0);
  expect(left([], 'S', 1)).toBe(2);
  const after = put(remove(classic, 'H2', false), { square: 'C3', colour: 0, kind: 'P', facing: 'NE' }, true);
  expect(left(after, 'P', 1)).toBe(0);
});
