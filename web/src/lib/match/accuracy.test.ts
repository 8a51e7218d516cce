import { expect, test } from 'vitest';
import { accuracies, accuracyOf } from './accuracy';

test('the best move is 100, and the more a move loses, the less it is', () => {
  const figures = [0, 5, 10, 25, 50, 100].map((lost) => Math.round(accuracyOf(lost)));
  expect(figures).toEqual([100, 80, 64, 32, 9, 0]);
  expect(accuracyOf(-3)).toBe(accuracyOf(0)); // an engine that changed its mind takes nothing from the player
});

test('each seat has the mean of its own moves; who was not judged has none', () => {
  const moves = [
    { seat: 0, before: 0.5, after: 0.5 },
    { seat: 0, before: 0.6, after: 0.5 },
    { seat: 1, before: 0.5, after: null },
  ];
  const [first, second] = accuracies(moves, 2);
  expect(first).toBeCloseTo((accuracyOf(0) + accuracyOf(10)) / 2);
  expect(second).toBeNull();
});
