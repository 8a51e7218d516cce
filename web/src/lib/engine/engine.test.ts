// What the engine refuses, and how it keeps its memory; whole games are played in tests/test_wasm_games.py.

import { expect, test } from 'vitest';
import type { Description } from './description';
import { Engine } from './engine';

/** (module (memory (export "memory") 1) (func (export "same") (param i64) (result i64) local.get 0)) */
const CODE = [
  [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  [1, 6, 1, 0x60, 1, 0x7e, 1, 0x7e, 3, 2, 1, 0, 5, 3, 1, 0, 1],
  [7, 17, 2, 6, ...new TextEncoder().encode('memory'), 2, 0, 4, ...new TextEncoder().encode('same'), 0, 0],
  [10, 6, 1, 4, 0, 0x20, 0, 0x0b],
].flat();

const ABOUT: Description = {
  game: 'nothing',
  digest: '',
  sources: '',
  open: true,
  adviser: 'alphabeta',
  judging: { steep: 400, worlds: 1, mistake: 0.1, blunder: 0.25, longestLine: 12, rolls: 8 },
  maxLegal: 1,
  structures: {
    Pair: { size: 24, fields: { small: { at: 0, kind: 'i8', shape: [] }, row: { at: 8, kind: 'i64', shape: [2] } } },
    Fraction: { size: 8, fields: { part: { at: 0, kind: 'double', shape: [] } } },
    Whole: { size: 24, fields: { pair: { at: 0, kind: 'Pair', shape: [] } } },
  },
  functions: { same: { takes: [{ name: 'n', kind: 'i64', dimensions: 0 }], gives: 'i64' } },
  memory: { pages: 1, mostPages: 16_384, stack: 0, tables: 0, shared: false },
  alphabeta: { win: 0, maxPly: 0, ages: 0, deepest: 0, megabytes: 0, contempt: 0 },
  mcts: { nodes: 0, habits: {} },
};

const engine = () => Engine.make(new WebAssembly.Module(new Uint8Array(CODE)), ABOUT);

test('numbers of every size are written and read back, whatever grew meanwhile', async () => {
  const made = await engine();
  const pairs = made.rows('Pair', 3);
  made.set(pairs, 'small', -5, 2);
  made.set(pairs, 'row', 1n << 40n, 2);
  const fraction = made.rows('Fraction');
  made.set(fraction, 'part', 0.1);
  const before = made.memory.buffer;
  made.ints(100_000);
  expect(made.memory.buffer).not.toBe(before);
  expect([made.get(pairs, 'small', 2), made.get(pairs, 'row', 2, 0), made.get(pairs, 'row', 2, 1)]).toEqual([-5, 1n << 40n, 0n]);
  expect(made.get(fraction, 'part')).toBe(0.1);
  expect(made.call('same', -7)).toBe(-7n);
});

test('rows do not overlap and begin at a line of the cache', async () => {
  const made = await engine();
  const all = [made.rows('Pair'), made.ints(9), made.grid(3, 5), made.rows('Pair', 5000)];
  all.slice(1).forEach((rows, k) => {
    const last = all[k]!;
    expect(rows.at).toBeGreaterThanOrEqual(last.at + last.size * last.lengths[0]!);
    expect(rows.at % 64).toBe(0);
  });
});

test('what does not fit is refused in a sentence', async () => {
  const made = await engine();
  const pair = made.rows('Pair');
  expect(() => made.call('other')).toThrow('nothing has no function other');
  expect(() => made.call('same')).toThrow('same takes 1 arguments, not 0');
  expect(() => made.call('same', pair)).toThrow('same takes other rows as n');
  expect(() => made.rows('Triple')).toThrow('nothing has no structure Triple');
  expect(() => made.get(pair, 'third')).toThrow('Pair has no numbers called third');
  expect(() => made.get(made.rows('Whole'), 'pair')).toThrow('Whole has no numbers called pair');
  expect(() => made.put(pair, new Uint8Array(3))).toThrow('Pair has 24 bytes, not 3');
});
