import { expect, test } from 'vitest';
import { arrowOf, cellsNamed, outline } from './arrows';

test('an action goes from its first cell to its last, or is about one', () => {
  expect(arrowOf(cellsNamed('H2-G1'))).toEqual([{ from: 'H2', to: 'G1' }]);
  expect(arrowOf(cellsNamed('move 3,4 12,4'))).toEqual([{ from: '3,4', to: '12,4' }]);
  expect(arrowOf(['a1', 'b2', 'c3'])).toEqual([{ from: 'a1', to: 'c3' }]);
  expect(arrowOf(cellsNamed('G8+'))).toEqual([{ from: 'G8' }]);
  expect(arrowOf(cellsNamed('end'))).toEqual([]);
});

test('an arrow points at the middle of its cell, whichever way it goes', () => {
  for (const to of [
    { x: 450, y: 50 },
    { x: 50, y: 450 },
    { x: -350, y: -350 },
  ]) {
    const points = outline({ x: 50, y: 50 }, to, 100).split(' ');
    expect(points).toHaveLength(7);
    expect(points[3]).toBe(`${to.x},${to.y}`);
  }
});
