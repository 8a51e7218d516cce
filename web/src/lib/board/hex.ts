// Hexagons with a corner on top, in centred rows of any length:
//
//     ⬡ ⬡ ⬡        row 0, three cells
//    ⬡ ⬡ ⬡ ⬡       row 1, four cells
//
// `size` is the distance from the centre to a corner.

export interface Point {
  x: number;
  y: number;
}

const HALF = Math.sqrt(3) / 2;

/** The centre of a cell; (0, 0) is the left top corner of the drawing. */
export function centre(lengths: readonly number[], column: number, row: number, size: number): Point {
  const longest = Math.max(...lengths);
  const shift = (longest - (lengths[row] ?? 0)) / 2;
  return { x: (column + shift + 0.5) * 2 * HALF * size, y: size * (1 + 1.5 * row) };
}

/** How large the whole drawing is. */
export function extent(lengths: readonly number[], size: number): { width: number; height: number } {
  return { width: Math.max(...lengths) * 2 * HALF * size, height: size * (2 + 1.5 * (lengths.length - 1)) };
}

/** The six corners around a centre, for `<polygon points>`; `inset` leaves a gap to the neighbours. */
export function corners({ x, y }: Point, size: number, inset = 0): string {
  const r = size - inset;
  const ring: [number, number][] = [
    [0, -r],
    [HALF * r, -r / 2],
    [HALF * r, r / 2],
    [0, r],
    [-HALF * r, r / 2],
    [-HALF * r, -r / 2],
  ];
  return ring.map(([dx, dy]) => `${round(x + dx)},${round(y + dy)}`).join(' ');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
