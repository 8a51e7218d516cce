// An advised move as an arrow over the board: from cell to cell. Boards say where a cell is drawn; this knows no game.

import type { Arrow } from './contract';

interface Point {
  x: number;
  y: number;
}

/** The arrow of an action that is about these cells: from the first to the last, or a ring around the only one. */
export function arrowOf(cells: readonly string[]): Arrow[] {
  const [from, to] = [cells[0], cells.at(-1)];
  if (from === undefined) return [];
  return from === to ? [{ from }] : [{ from, to }];
}

/** The cells whose names stand in the text of an action. */
export function cellsNamed(action: string): string[] {
  return action.match(/\d+,\d+|[A-Za-z]\d+/g) ?? [];
}

/** The outline of an arrow, as points of a polygon: it leaves the middle of its cell free, and ends in the other's. */
export function outline(from: Point, to: Point, size: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [start, half, head, wing] = [0.16 * size, 0.07 * size, 0.34 * size, 0.2 * size];
  const neck = Math.max(start, length - head);
  const along: [number, number][] = [
    [start, -half],
    [neck, -half],
    [neck, -wing],
    [length, 0],
    [neck, wing],
    [neck, half],
    [start, half],
  ];
  const round = (value: number) => Math.round(value * 10) / 10;
  return along
    .map(([a, b]) => [from.x + (dx * a - dy * b) / length, from.y + (dy * a + dx * b) / length].map(round).join(','))
    .join(' ');
}
