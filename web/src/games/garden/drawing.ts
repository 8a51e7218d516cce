// Where the 29 hexes lie, pointed side up, around the middle of the garden.
//
//       a1 a2 a3 a4 a5
//     b1 b2 b3 b4 b5 b6
//   c1 c2 c3 c4 c5 c6 c7        the half turn takes cell k to 28 - k
//     d1 d2 d3 d4 d5 d6
//       e1 e2 e3 e4 e5

import { across, step } from '$lib/board/cursor.svelte';
import { centre, corners as pointsAround, extent, type Point } from '$lib/board/hex';

export const ROWS = [5, 6, 7, 6, 5] as const;
const SIDE = 100; // of a hex, and its radius
const { width, height } = extent(ROWS, SIDE);

/** With a margin for borders and for the edge of the garden. */
export const VIEW_BOX = `${-width / 2 - 14} ${-height / 2 - 10} ${width + 28} ${height + 32}`;

export interface Place extends Point {
  name: string;
  column: number;
  row: number;
}

export const PLACES: readonly Place[] = ROWS.flatMap((length, row) =>
  Array.from({ length }, (_, column) => {
    const { x, y } = centre(ROWS, column, row, SIDE);
    return { name: `${'abcde'[row]}${column + 1}`, column, row, x: x - width / 2, y: y - height / 2 };
  }),
);
export const INDEX: ReadonlyMap<string, number> = new Map(PLACES.map((place, k) => [place.name, k]));
const MIDDLE: Place = { name: '', column: 0, row: 2, x: 0, y: 0 };

export const place = (name: string): Place => PLACES[INDEX.get(name) ?? -1] ?? MIDDLE;

/** The corners of a hex of this radius around the origin, as points of a polygon. */
export const corners = (radius: number): string => pointsAround({ x: 0, y: 0 }, radius);

/** Cells with a common side. */
export const around = (k: number): number[] => {
  const { x, y } = PLACES[k]!;
  return PLACES.flatMap((other, j) => (j !== k && Math.hypot(other.x - x, other.y - y) < 2 * SIDE ? [j] : []));
};

export const opposite = (k: number): number => PLACES.length - 1 - k;

/** The cell where a key takes the cursor, or null if it is none of its keys. */
export function walk(from: string, key: string, flipped = false): string | null {
  const to = step(ROWS, place(from), across(key, flipped), true);
  return to && PLACES.find((other) => other.row === to.row && other.column === to.column)!.name;
}
