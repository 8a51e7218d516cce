// What is drawn on a study board: marks as texts, and the one that is not finished yet.

import { expect, test } from 'vitest';
import { arrowsOf, begunAmong, textOf } from './drawing';

test('a mark is a ring on one cell, or an arrow between two', () => {
  expect(textOf('a1', 'a1')).toBe('a1');
  expect(arrowsOf(['a1', textOf('b2', 'c3')])).toEqual([
    { from: 'a1', mine: true },
    { from: 'b2', to: 'c3', mine: true },
  ]);
});

test('a mark that is begun is shown once, whatever stands already', () => {
  expect(begunAmong(['a1'], null)).toEqual(['a1']);
  expect(begunAmong(['a1'], { from: 'a1', to: 'a1' })).toEqual(['a1']); // no ring twice on a cell
  expect(begunAmong(['a1'], { from: 'a1', to: 'b2' })).toEqual(['a1', 'a1 b2']);
  expect(begunAmong([], { from: 'a1', to: null })).toEqual(['a1']); // the finger has left the board
});
