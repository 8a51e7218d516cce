// Where the 29 hexes lie, pointed side up, around the middle of the garden, and how a cursor walks over them.
//
//       a1 a2 a3 a4 a5
//     b1 b2 b3 b4 b5 b6
//   c1 c2 c3 c4 c5 c6 c7        the half turn takes cell k to 28 - k
//     d1 d2 d3 d4 d5 d6
//       e1 e2 e3 e4 e5

export const ROWS = [5, 6, 7, 6, 5] as const;
export const SIDE = 100; // of a hex, and its radius
export const WIDTH = SIDE * Math.sqrt(3);

export interface Place {
  name: string;
  row: number;
  x: number;
  y: number;
}

export const PLACES: readonly Place[] = ROWS.flatMap((length, row) =>
  Array.from({ length }, (_, k) => ({
    name: `${'abcde'[row]}${k + 1}`,
    row,
    x: (k - (length - 1) / 2) * WIDTH,
    y: (row - 2) * 1.5 * SIDE,
  })),
);
export const INDEX: ReadonlyMap<string, number> = new Map(PLACES.map((place, k) => [place.name, k]));
export const MIDDLE: Place = { name: '', row: 2, x: 0, y: 0 };

export const place = (name: string): Place => PLACES[INDEX.get(name) ?? -1] ?? MIDDLE;

/** The six corners of a hex of this radius, as points of a polygon. */
export const corners = (radius: number = SIDE): string =>
  [90, 150, 210, 270, 330, 30]
    .map((angle) => (angle * Math.PI) / 180)
    .map((angle) => `${(radius * Math.cos(angle)).toFixed(2)},${(radius * Math.sin(angle)).toFixed(2)}`)
    .join(' ');

const apart = (a: Place, b: Place): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Cells with a common side. */
export const around = (k: number): number[] =>
  PLACES.flatMap((other, j) => (j !== k && apart(PLACES[k]!, other) < WIDTH * 1.1 ? [j] : []));

export const opposite = (k: number): number => PLACES.length - 1 - k;

/** Where an arrow key takes the cursor; `wanted` is the column it tries to keep, so that up and down undo each other. */
export function walk(from: string, key: string, wanted: number): string | null {
  const here = place(from);
  const row = (n: number) => PLACES.filter((other) => other.row === n);
  const mine = row(here.row);
  const at = mine.findIndex((other) => other.name === from);
  if (key === 'ArrowLeft') return mine[at - 1]?.name ?? null;
  if (key === 'ArrowRight') return mine[at + 1]?.name ?? null;
  if (key === 'Home') return mine[0]!.name;
  if (key === 'End') return mine.at(-1)!.name;
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const next = row(here.row + (key === 'ArrowUp' ? -1 : 1));
  return next.reduce<Place | null>((best, other) => {
    return best === null || Math.abs(other.x - wanted) < Math.abs(best.x - wanted) - 1 ? other : best;
  }, null)?.name ?? null;
}
