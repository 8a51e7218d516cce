import { expect, test } from 'vitest';
import { step } from './cursor.svelte';

const square = [8, 8, 8];
const hexes = [4, 5, 6, 5, 4];

test.each([
  [square, { column: 0, row: 0 }, 'ArrowLeft', { column: 0, row: 0 }],
  [square, { column: 3, row: 1 }, 'ArrowDown', { column: 3, row: 2 }],
  [square, { column: 3, row: 2 }, 'ArrowDown', { column: 3, row: 2 }],
  [square, { column: 3, row: 2 }, 'PageUp', { column: 3, row: 0 }],
  [square, { column: 3, row: 2 }, 'End', { column: 7, row: 2 }],
])('a cursor stays on the board: %j %j %s', (lengths, from, key, to) => {
  expect(step(lengths, from, key)).toEqual(to);
});

test('other keys are left to the board', () => expect(step(square, { column: 0, row: 0 }, 'x')).toBeNull());

test('down and up again through centred rows comes back, but for the ends of rows', () => {
  for (let row = 0; row < hexes.length - 1; row++)
    for (let column = 1; column < hexes[row]! - 1; column++) {
      const below = step(hexes, { column, row }, 'ArrowDown', true)!;
      const shift = (hexes[row]! - hexes[below.row]!) / 2;
      expect(Math.abs(below.column + shift - column)).toBeLessThanOrEqual(0.5);
      expect(step(hexes, below, 'ArrowUp', true)).toEqual({ column, row });
    }
});
