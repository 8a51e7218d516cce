import { expect, test } from 'vitest';
import { cellAt, placed, type Seen } from './drawing';
import { count, mirror, paint, readMap, writeMap } from './setup';
import { cellsOf, offers, wasted } from './notation';
import type { Shown, Told, Unit } from './shown';
import { after } from './story';

const units: Unit[] = [
  { id: 0, owner: 0, leader: true, hp: 10, cell: '0,3' },
  { id: 3, owner: 0, leader: false, hp: 7, cell: '4,2' },
  { id: 5, owner: 2, leader: false, hp: 10, cell: '1,3' },
  { id: 9, owner: 1, leader: false, hp: 3, cell: '6,2' },
];
const obstacles = [{ cell: '5,5', hp: 4 }];
const aim = (action: string, damage: number, struck: number) => ({ action, cells: [], damage, struck });

test('texts become deeds on cells', () => {
  const aims = [aim('3 SHOOT 9', 5, 9)];
  const offered = offers(['WAIT', '0 MOVE 0 2', '0 CONVERT 5', '3 SHOOT 9', '3 SHOOT 5,5', '3 SHOOT 12'], {
    units,
    aims,
  });
  expect(offered.get(0)!.map(({ verb, cell }) => [verb, cell])).toEqual([
    ['MOVE', '0,2'],
    ['CONVERT', '1,3'],
  ]);
  expect(offered.get(3)!.map(({ cell, aim }) => [cell, aim?.damage])).toEqual([
    ['6,2', 5],
    ['5,5', undefined],
  ]);
});

test.each([
  ['3 MOVE 4 1', ['4,2', '4,1']],
  ['3 SHOOT 9', ['4,2', '6,2']],
  ['WAIT', []],
])('a hint points at %s', (action, cells) => {
  expect(cellsOf(action, { units, aims: [] as Shown['aims'] } as Shown)).toEqual(cells);
});

test.each([
  [aim('3 SHOOT 9', 5, 9), false],
  [aim('3 SHOOT 9', 0, -1), true],
  [aim('3 SHOOT 9', 4, 5), true],
  [aim('3 SHOOT 9', 4, 0), true],
  [aim('3 SHOOT 5,5', 4, -1), false],
])('a shot is wasted unless it hurts an enemy or a stone: %o', (aimed, vain) => {
  expect(wasted({ action: aimed.action, unit: 3, verb: 'SHOOT', cell: '6,2', aim: aimed }, units, 0)).toBe(vain);
});

test.each<[Partial<Told>, (scene: { units: Unit[]; obstacles: typeof obstacles }) => unknown, unknown]>([
  [{ kind: 'moved', unit: 3, cells: ['4,2', '4,3'] }, (scene) => scene.units[1]!.cell, '4,3'],
  [{ kind: 'converted', unit: 5, owner: 0, cells: ['0,3', '1,3'] }, (scene) => scene.units[2]!.owner, 0],
  [{ kind: 'shot', struck: 9, damage: 2, hp: 1, cells: ['4,2', '6,2'] }, (scene) => scene.units[3]!.hp, 1],
  [{ kind: 'shot', struck: -1, damage: 3, hp: 1, cells: ['4,2', '5,5'] }, (scene) => scene.obstacles[0]!.hp, 1],
  [{ kind: 'shot', struck: -1, damage: 0, hp: 0, cells: ['4,2', '5,5'] }, (scene) => scene.obstacles[0]!.hp, 4],
  [{ kind: 'died', unit: 9, cells: ['6,2'] }, (scene) => scene.units.length, 3],
  [{ kind: 'destroyed', cells: ['5,5'] }, (scene) => scene.obstacles.length, 0],
  [{ kind: 'waited', seat: 0, cells: [] }, (scene) => scene.units.length, 4],
])('%o', (event, seen, expected) => {
  expect(seen(after({ units, obstacles }, event as Told))).toEqual(expected);
});

test('every cell has a place of its own, whichever way the board is turned', () => {
  for (const seen of [false, true].flatMap((upright) => [false, true].map((back): Seen => ({ upright, back })))) {
    const cells = Array.from({ length: 91 }, (_, k) => `${k % 13},${Math.floor(k / 13)}`);
    expect(cells.map((cell) => cellAt(placed(cell, seen), seen))).toEqual(cells);
  }
  expect(placed('0,3', { upright: true, back: false })).toEqual({ column: 3, row: 12 });
});

test('a map is read, painted with its mirror image, and written', () => {
  const rows = readMap('.............\n..n.n...n.n..\nx...........x\nA...........B');
  expect(count(rows, 'n')).toBe(4);
  expect(writeMap(readMap(writeMap(rows)))).toBe(writeMap(rows));
  const moved = paint(rows, '1,6', 'A', true);
  expect([moved[3]![0], moved[6]![1], moved[6]![11], moved[3]![12]]).toEqual(['.', 'A', 'B', '.']);
  expect(count(paint(rows, '6,0', 'x', true), 'x')).toBe(3);
  expect(count(paint(rows, '5,0', 'x', false), 'x')).toBe(3);
  expect(mirror('2,5')).toBe('10,5');
});

test('a written position is drawn as a map', () => {
  const text = `${Array(7).fill('x...........x').join('/')} 0L10@1,3 1L10@11,3 n10@2,1 0c7@4,4 1c0 turn=0`;
  const rows = readMap(text);
  expect([rows[3]![1], rows[3]![11], rows[1]![2], rows[4]![4], count(rows, 'x')]).toEqual(['A', 'B', 'n', 'n', 14]);
});
