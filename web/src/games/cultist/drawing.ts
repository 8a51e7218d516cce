// Where a cell is drawn. The board lies (13 wide), or stands on narrow screens (7 wide, one's own leader below), and
// either is seen from one's own side of the table or from the other.

import type { Place } from '$lib/board/cursor.svelte';

export const WIDTH = 13;
export const HEIGHT = 7;
export const SIDE = 100; // of a cell, in units of the drawing

export interface Seen {
  upright: boolean;
  back: boolean;
}

export interface Point {
  x: number;
  y: number;
}

export const columns = ({ upright }: Seen): number => (upright ? HEIGHT : WIDTH);
export const rows = ({ upright }: Seen): number => (upright ? WIDTH : HEIGHT);

/** `4,2` as x and y. */
export function read(cell: string): Point {
  const [x, y] = cell.split(',').map(Number) as [number, number];
  return { x, y };
}

export function placed(cell: string, { upright, back }: Seen): Place {
  const { x, y } = read(cell);
  if (upright) return back ? { column: HEIGHT - 1 - y, row: x } : { column: y, row: WIDTH - 1 - x };
  return back ? { column: WIDTH - 1 - x, row: HEIGHT - 1 - y } : { column: x, row: y };
}

/** The cell that is drawn there. */
export function cellAt({ column, row }: Place, { upright, back }: Seen): string {
  if (upright) return back ? `${row},${HEIGHT - 1 - column}` : `${WIDTH - 1 - row},${column}`;
  return back ? `${WIDTH - 1 - column},${HEIGHT - 1 - row}` : `${column},${row}`;
}

export function centre(cell: string, seen: Seen): Point {
  const { column, row } = placed(cell, seen);
  return { x: (column + 0.5) * SIDE, y: (row + 0.5) * SIDE };
}

export function at(cell: string, seen: Seen): string {
  const { x, y } = centre(cell, seen);
  return `translate(${x} ${y})`;
}

/** A number that belongs to a cell, so that no two stones need look alike. */
export function grain(cell: string, kinds: number): number {
  const { x, y } = read(cell);
  return ((x * 73 + y * 151 + ((x * y) % 7) * 31) >> 1) % kinds;
}
