import { expect, test } from 'vitest';
import type { OfKind } from '$lib/board/contract';
import type { Shown, Told, Unit } from './shown';
import { scenesOf } from './story';

const unit = (team: number, role: Unit['role'], cell: string, health = 10): Unit => ({
  ...{ team, role, cell, facing: 'N', health },
});
const before: Shown = {
  rows: Array<string>(9).fill('.........'),
  ...{ start: '4,4', turn: 3, turns: 20, placement: 1, phase: 'orders' },
  points: [0, 1],
  sealed: [true, true],
  hotspots: [{ cells: ['0,0'], holder: 0, turns: 2 }],
  units: [unit(0, 'thief', '2,2'), unit(0, 'barbarian', '3,5'), unit(0, 'elf', '4,4'), unit(1, 'elf', '2,1', 7)],
  ...{ corpses: [], own: [], palantir: '', revealed: '', sight: [] },
};
const after: Shown = {
  ...before,
  turn: 4,
  points: [2, 1],
  units: [unit(0, 'thief', '2,3', 5), unit(0, 'barbarian', '4,4'), unit(0, 'elf', '4,7')],
  corpses: [{ team: 1, role: 'elf', cell: '2,1' }],
  hotspots: [{ cells: ['0,0'], holder: 0, turns: 0 }],
};
const said = <Kind extends Told['kind']>(kind: Kind, more: Partial<OfKind<Told, Kind>> = {}) =>
  ({ kind, words: { fr: kind, en: kind }, cells: [], turn: 4, by: -1, struck: [], ...more }) as unknown as Told;
const STORY = [
  said('walked', { role: 'elf', pushed: true, cells: ['4,7'] }),
  said('attacked', {
    ...{ role: 'thief', order: 'thief attack 2,1', dropped: false, cells: ['2,1'] },
    struck: [{ team: 1, role: 'elf', cell: '2,1', damage: 0 }],
  }),
  said('attacked', { role: 'elf', order: 'elf attack 9,9', dropped: true }),
  said('hit', { role: 'thief', team: 1, damage: 5 }),
  said('hit', { role: 'barbarian', team: 1, damage: 9001 }),
  said('died', { role: 'barbarian', cells: ['3,5'] }),
  said('walked', { role: 'thief', pushed: false, cells: ['1,2', '1,3', '2,3'] }),
  said('penumbra', { role: 'thief', cells: ['5,5'] }),
  said('hotspot', { number: 0, holder: 0 }),
  said('scored', { seat: 0, points: 2 }),
  said('turn'),
];
const scenes = scenesOf(before, after, STORY, 0, false);
const at = (kind: string) => scenes.filter((scene) => scene.kind === kind);
const health = (scene: (typeof scenes)[number], team: number, role: string) =>
  scene.pictures.at(-1)!.shown.units.find((one) => one.team === team && one.role === role)?.health;

test('a turn is told in the order in which it happened', () => {
  expect(scenes.map(({ kind }) => kind)).toEqual([
    ...['push', 'attack', 'attack', 'hit', 'hit', 'death', 'walk', 'points'],
  ]);
  expect(scenes.flatMap(({ says }) => says.map(({ en }) => en))).toEqual([
    ...['walked', 'attacked', 'attacked', 'hit', 'hit', 'died', 'walked', 'Shapes noticed: 5,5.', 'hotspot', 'scored'],
  ]);
});

test('each scene begins where the one before it ended, and the last one ends with what is shown', () => {
  expect(at('push')[0]!.pictures.at(-1)!.shown.units.find(({ role }) => role === 'elf')!.cell).toBe('4,7');
  expect(at('attack')[0]!.pictures.at(-1)!.wounds).toEqual([{ cell: '2,1', text: '☠' }]);
  expect(at('attack')[0]!.pictures.at(-1)!.leaving).toEqual(new Set(['1elf']));
  expect(at('attack')[1]!.pictures[0]!.shown.units.some(({ team }) => team === 1)).toBe(false);
  expect(at('hit').map(({ pictures }) => pictures[0]!.wounds[0]!.text)).toEqual(['−5', '☠']);
  expect(health(at('hit')[0]!, 0, 'thief')).toBe(5);
  const places = at('walk')[0]!.pictures.map(({ shown }) => shown.units.find(({ role }) => role === 'thief')!.cell);
  expect(places.slice(0, 3)).toEqual(['1,2', '1,3', '2,3']);
  expect(at('points')[0]!.pictures[0]!.wounds).toEqual([{ cell: '0,0', text: '+1', good: true }]);
  expect(scenes.at(-1)!.pictures.at(-1)!.shown).toEqual({ ...after, own: [] });
  expect(scenes.at(-1)!.pictures.at(-1)!.ghosts).toEqual(['5,5']);
});

test('a wound that nobody of one’s own struck, and what comes into sight, are scenes too', () => {
  const hurt = said('hurt', { team: 1, role: 'elf', damage: 2, cells: ['2,1'] });
  const seen = said('seen', { team: 1, role: 'thief', cells: ['6,6'] });
  const there = { ...before, turn: 4, units: [...before.units.slice(0, 3), unit(1, 'thief', '6,6')] };
  const [wound, look] = scenesOf(before, there, [hurt, seen, said('turn')], 0, false);
  expect(health(wound!, 1, 'elf')).toBe(5);
  expect(look!.pictures[0]!.leaving).toEqual(new Set(['1elf']));
  expect(look!.pictures.at(-1)!.shown.units).toEqual(there.units);
});

test('where nothing was seen there is one scene that says so', () => {
  const still = scenesOf(before, { ...before, turn: 4 }, [said('turn')], 0, false);
  expect(still.map(({ kind, pictures }) => [kind, pictures.length])).toEqual([['nothing', 1]]);
});
