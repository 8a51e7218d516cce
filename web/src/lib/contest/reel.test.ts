// The match of the moment: which one, how fast, and that it stops.
import { expect, test } from 'vitest';
import type { Frame, Replayed } from '$lib/api/client';
import type { Result } from './contest.svelte';
import { keyOf, nextOf, Reel, stepOf, type Booth } from './reel.svelte';

const result = (number: number): Result => ({
  ...{ pairing: 0, number, players: ['a', 'b'], ranks: [1, 2], reason: 'played', start: '', at: 0, troubles: [] },
});
const frame = (n: number) => ({ n, seat: 0, action: '', at: 0, shown: n, story: [{}], digest: '', board: null }) as unknown as Frame;
const film = (...numbers: number[]): Replayed =>
  ({ total: numbers.at(-1)! + 1, names: ['a', 'b'], options: {}, outcome: null, frames: numbers.map(frame), eye: -2 }) as unknown as Replayed;

test('the newest that was not shown comes next, then the one shown longest ago', () => {
  const all = [result(0), result(1), result(2)];
  expect(nextOf([], [])).toBeNull();
  expect(keyOf(nextOf(all, [])!)).toBe('0/2');
  expect(keyOf(nextOf(all, ['0/2'])!)).toBe('0/1');
  expect(keyOf(nextOf(all, ['0/2', '0/1', '0/0'])!)).toBe('0/2');
  expect(keyOf(nextOf(all.slice(1), ['0/0', '0/2', '0/1'])!)).toBe('0/2'); // one that is gone is not missed
});

test.each([
  [2, 1000],
  [121, 500],
  [240, 60000 / 239],
  [5000, 180],
])('%i frames are shown for %d ms each', (frames, ms) => expect(stepOf(frames)).toBeCloseTo(ms));

/** Runs a reel until it was told to stop, and says what happened. */
async function run(films: Record<string, Replayed | null>, stopAfter: number, still = false): Promise<string[]> {
  const said: string[] = [];
  let waits = 0;
  const results = Object.keys(films).map((key) => result(Number(key.split('/')[1])));
  const booth: Booth = {
    results: () => results,
    load: async (wanted) => {
      said.push(`load ${keyOf(wanted)}`);
      const found = films[keyOf(wanted)];
      if (!found) throw new Error('no record');
      return found;
    },
    tell: async (before, after) => void said.push(`tell ${before.n}→${after.n}`),
    wait: async () => {
      said.push(`at ${reel.at}`);
      if (++waits === stopAfter) reel.stop();
    },
    still: () => still,
  };
  const reel = new Reel(booth);
  await reel.run();
  return said;
}

test('a match is shown from its start to its end; moves are told where none is left out', async () => {
  expect(await run({ '0/7': film(0, 1, 4) }, 4)).toEqual(['load 0/7', 'at 0', 'tell 0→1', 'at 1', 'at 2', 'at 2']);
});

test('one without a record is passed over', async () => {
  const said = await run({ '0/1': film(0), '0/2': null }, 2);
  expect(said).toEqual(['load 0/2', 'at 0', 'load 0/1', 'at 0']);
});

test('one in which nobody moved is passed over', async () => {
  const said = await run({ '0/1': film(0, 1), '0/2': film(0) }, 2);
  expect(said).toEqual(['load 0/2', 'at 0', 'load 0/1', 'at 0']);
});

test('where nothing shall move the end is shown', async () => {
  expect(await run({ '0/7': film(0, 1, 2) }, 1, true)).toEqual(['load 0/7', 'at 2']);
});
