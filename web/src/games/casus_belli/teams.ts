// Teams are told apart by colour, by the shape of their tokens and by their number: a hundred of them fit on a map.

import { CELL } from './ground';
import { place, type Unit } from './notation';

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

/**
 * Where the units of one cell stand: alone, side by side, in a triangle, in a square; the fifth and later are a
 * number.
 */
const SLOTS: readonly (readonly [number, number, number])[][] = [
  [[0, 0, 1.14]],
  [
    [-23, -4, 0.62],
    [23, 4, 0.62],
  ],
  [
    [-23, -21, 0.56],
    [23, -21, 0.56],
    [0, 23, 0.56],
  ],
  [
    [-23, -22, 0.54],
    [23, -22, 0.54],
    [-23, 23, 0.54],
    [23, 23, 0.54],
  ],
];
export const MOST_DRAWN = 4;

export interface Slot {
  dx: number;
  dy: number;
  scale: number;
}

/** The slot of each unit of a cell, and how many more there are than could be drawn. */
export function slots(units: number): { slots: Slot[]; more: number } {
  const drawn = units > MOST_DRAWN ? MOST_DRAWN - 1 : units;
  const layout = SLOTS[(units > MOST_DRAWN ? MOST_DRAWN : units) - 1] ?? [];
  return { slots: layout.slice(0, drawn).map(([dx, dy, scale]) => ({ dx, dy, scale })), more: units - drawn };
}

export interface Drawn {
  id: string;
  unit: Unit;
  x: number;
  y: number;
  scale: number;
}

/**
 * Where every unit is drawn, one's own in the first slots and above the others, and the numbers of those that are
 * not.
 */
export function arrange(
  units: readonly Unit[],
  observer: number,
): { drawn: Drawn[]; more: { cell: string; count: number; x: number; y: number }[] } {
  const cells = new Map<string, Unit[]>();
  for (const unit of units) cells.set(unit.cell, [...(cells.get(unit.cell) ?? []), unit]);
  const drawn: Drawn[] = [];
  const more: { cell: string; count: number; x: number; y: number }[] = [];
  for (const [cell, here] of cells) {
    const { x, y } = place(cell);
    const [left, top] = [x * CELL + 50, y * CELL + 50];
    const layout = slots(here.length);
    const first = here.toSorted((a, b) => Number(b.team === observer) - Number(a.team === observer));
    layout.slots.forEach(({ dx, dy, scale }, k) => {
      const unit = first[k]!;
      drawn.push({ id: `${unit.team}${unit.role}`, unit, x: left + dx, y: top + dy, scale });
    });
    if (layout.more) more.push({ cell, count: layout.more, x: left + 23, y: top + 23 });
  }
  const above = ({ unit }: Drawn) => (unit.team === observer ? 1e6 : 0) - unit.team;
  return { drawn: drawn.toSorted((a, b) => above(a) - above(b) || a.id.localeCompare(b.id)), more };
}

/** Seats from the most points to the fewest, each with its rank; equals share one. */
export function ranking(points: readonly number[]): { seat: number; points: number; rank: number }[] {
  const order = points
    .map((own, seat) => ({ seat, points: own }))
    .toSorted((a, b) => b.points - a.points || a.seat - b.seat);
  return order.map((row) => ({ ...row, rank: 1 + order.findIndex((other) => other.points === row.points) }));
}
