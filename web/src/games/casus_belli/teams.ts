// Teams are told apart by colour, by the shape of their tokens and by their number: a hundred of them fit on a map.

import { CELL } from './drawing';
import { place } from './notation';
import type { Role, Unit } from './shown';

const ring = (corners: number, radius: number, turn: number) =>
  `M${Array.from({ length: corners }, (_, k) => {
    const angle = turn + (k * 2 * Math.PI) / corners;
    return `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`;
  }).join('L')}Z`;

export const SHAPES: readonly string[] = [
  'M-33 -27Q-33 -35 -25 -35H25Q33 -35 33 -27V6Q33 26 0 38Q-33 26 -33 6Z', // shield
  'M0 -37A37 37 0 1 1 0 37A37 37 0 1 1 0 -37Z', // round
  ring(4, 44, 0), // lozenge
  ring(6, 40, 0), // hexagon
  'M-27 -34H27Q34 -34 34 -27V27Q34 34 27 34H-27Q-34 34 -34 27V-27Q-34 -34 -27 -34Z', // square
  ring(5, 41, 0), // pentagon
  ring(8, 39, Math.PI / 8), // octagon
  'M-36 -32Q0 -44 36 -32Q26 0 36 32Q0 44 -36 32Q-26 0 -36 -32Z', // banner
  ring(3, 50, Math.PI), // pennant
];

export function shapeOf(team: number): string {
  return SHAPES[team % SHAPES.length]!;
}

export function colourOf(colours: readonly string[], team: number): string {
  return colours[team] ?? `hsl(${Math.round(team * 137.5 + 20) % 360} 52% 46%)`;
}

/** Where the units of one cell stand: alone, side by side, or three and more as a pile with its number. */
const ALONE = [[0, 0, 1.14]] as const;
const PAIR = [
  [-23, -4, 0.62],
  [23, 4, 0.62],
] as const;
const PILE = [
  [-5, 5, 0.76],
  [8, -7, 0.76],
  [20, -18, 0.76],
] as const;

export interface Drawn {
  id: string;
  unit: Unit;
  x: number;
  y: number;
  scale: number;
}
export interface Pile {
  cell: string;
  count: number;
  x: number;
  y: number;
}

/** Those of one cell in the order in which they are drawn and offered: the chosen one, one's own, the others. */
export function crowd(units: readonly Unit[], cell: string, observer: number, chosen: Role | null): Unit[] {
  const weight = ({ team, role }: Unit) => (team === observer ? (role === chosen ? 0 : 1) : 2 + team);
  return units.filter((unit) => unit.cell === cell).toSorted((a, b) => weight(a) - weight(b));
}

/** Where units are drawn, the first of each cell above the others; and the piles, of which only three are. */
export function arrange(
  units: readonly Unit[],
  observer: number,
  chosen: Role | null = null,
): { drawn: Drawn[]; piles: Pile[] } {
  const drawn: Drawn[] = [];
  const piles: Pile[] = [];
  for (const cell of new Set(units.map((unit) => unit.cell))) {
    const here = crowd(units, cell, observer, chosen);
    const layout = here.length > 2 ? PILE : here.length > 1 ? PAIR : ALONE;
    const { x, y } = place(cell);
    layout.forEach(([dx, dy, scale], k) => {
      const unit = here[k]!;
      drawn.push({ id: `${unit.team}${unit.role}`, unit, x: x * CELL + 50 + dx, y: y * CELL + 50 + dy, scale });
    });
    if (here.length > 2) piles.push({ cell, count: here.length, x: x * CELL + 50, y: y * CELL + 50 });
  }
  const below = ({ unit }: Drawn) => (unit.team === observer ? (unit.role === chosen ? 2 : 1) : 0);
  // those that are drawn first lie below: others under one's own, and in a pile the first on top
  return { drawn: drawn.toReversed().toSorted((a, b) => below(a) - below(b)), piles };
}

/** Places around a cell for so many tokens of this size, the first one at the top. */
export function fan(count: number, size: number): { x: number; y: number }[] {
  const radius = Math.max(size * 0.8, (size * 0.56) / Math.sin(Math.PI / Math.max(2, count)));
  return Array.from({ length: count }, (_, k) => {
    const angle = (k * 2 * Math.PI) / count;
    return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) };
  });
}

/** Seats from the most points to the fewest, each with its rank; equals share one. */
export function ranking(points: readonly number[]): { seat: number; points: number; rank: number }[] {
  const order = points
    .map((own, seat) => ({ seat, points: own }))
    .toSorted((a, b) => b.points - a.points || a.seat - b.seat);
  return order.map((row) => ({ ...row, rank: 1 + order.findIndex((other) => other.points === row.points) }));
}
