import { describe, expect, it } from 'vitest';
import type { Motion, OfKind } from '$lib/board/contract';
import { empty, type Place, type Shown, type Stack, type Told } from './shown';
import { slots } from './drawing';
import { Stage } from './stage.svelte';

const stack = (owner: number, civilians: number, military = 0): Stack => ({ ...empty(owner), civilians, military });
const place = (x: number, gold: number, ...stacks: Stack[]): Place => ({
  cell: `${x},0`,
  x,
  y: 0,
  seen: true,
  since: null,
  gold,
  reaped: false,
  stacks,
});
const shown = (...places: Place[]): Shown => ({
  width: 5,
  height: 5,
  turn: 0,
  turns: 9,
  player: 0,
  loser: -1,
  points: [0, 0],
  purse: 5,
  places,
});
const told = <Kind extends Told['kind']>(kind: Kind, cells: string[], rest: Partial<OfKind<Told, Kind>> = {}) =>
  ({ kind, cells, words: { fr: '', en: '' }, turn: 1, by: 0, ...rest }) as unknown as Told;

/** Tells a story and returns what was drawn at every wait. */
async function drawn(before: Shown, after: Shown, story: Told[], scale = 1): Promise<Shown[]> {
  const stage = new Stage();
  const seen: Shown[] = [];
  const motion: Motion = { scale, skipped: false, wait: async () => void seen.push(stage.interim.at(before)!) };
  await stage.tell(before, after, story, motion, () => {});
  expect(stage.interim.at(before)).toBe(after);
  expect(stage.actors).toHaveLength(0);
  return seen;
}

describe('a story', () => {
  it('takes a walking unit from its cell before it arrives', async () => {
    const story = [told('moved', ['0,0', '1,0'], { seat: 0, unit: 'civilian' })];
    const [walking] = await drawn(
      shown(place(0, 0, stack(0, 3)), place(1, 0)),
      shown(place(0, 0, stack(0, 2)), place(1, 0, stack(0, 1))),
      story,
    );
    expect(walking!.places.map((each) => each.stacks[0]?.civilians ?? 0)).toEqual([2, 0]);
  });

  it('shows losses after the fight, and never a negative count', async () => {
    const losses: [Stack, Stack] = [stack(1, 0, 1), stack(0, 4)];
    const story = [told('fought', ['0,0'], { attacker: 1, losses }), told('scored', [], { seat: 1, points: 20 })];
    const before = shown(place(0, 0, stack(0, 3), stack(1, 0, 2)));
    const [fight, score] = await drawn(before, shown(place(0, 0, stack(1, 0, 1))), story);
    expect(fight!.places).toEqual(before.places);
    expect(score!.places[0]!.stacks).toEqual([stack(1, 0, 1)]);
  });

  it('without motion waits for nothing', async () => {
    const story = [
      told('harvested', ['0,0'], { seat: 0 }),
      told('moved', ['0,0', '1,0'], { seat: 0, unit: 'civilian' }),
    ];
    expect(await drawn(shown(place(0, 4, stack(0, 1))), shown(place(0, 3)), story, 0)).toEqual([]);
  });
});

describe('a cell', () => {
  it('has a place of its own for every kind of both sides', () => {
    const full = (owner: number): Stack => ({ owner, civilians: 1, military: 2, buildings: 3, ready: null });
    const spots = slots(place(0, 9, full(0), full(1))).map(({ x, y }) => `${x} ${y}`);
    expect(new Set(spots).size).toBe(6);
  });
});
