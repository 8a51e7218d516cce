// Maps as text, read as far as they can be, and edited: the server says whether one may be played.
//
//   9 5          width height
//   4 2          start: x y
//   2            turns of the placement
//   20           turns
//   ....F....    then the rows, in the letters of the ground

import facts from './facts.json';
import { LETTERS } from './drawing';

export interface Chart {
  rows: string[];
  start: { x: number; y: number };
  placement: number;
  turns: number;
}
export type Symmetry = 'none' | 'x' | 'y' | 'both' | 'half' | 'quarter';
export const SYMMETRIES: readonly Symmetry[] = ['none', 'x', 'y', 'both', 'half', 'quarter'];
export const LARGEST = facts.largest;

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, Math.round(value) || low));

/** What can be read of a text: short rows are filled with grass, other letters are grass. */
export function readMap(text: string): Chart {
  const lines = text.replace(/^[\r\n]+/, '').split(/\r?\n/);
  const numbers = (line: number) => (lines[line] ?? '').trim().split(/\s+/).map(Number);
  const [width, height] = [clamp(numbers(0)[0] ?? 9, 1, LARGEST), clamp(numbers(0)[1] ?? 9, 1, LARGEST)];
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) =>
      LETTERS.includes(lines[4 + y]?.[x] ?? '?') ? lines[4 + y]![x]! : '.',
    ).join(''),
  );
  const start = { x: clamp(numbers(1)[0] ?? 0, 0, width - 1), y: clamp(numbers(1)[1] ?? 0, 0, height - 1) };
  return { rows, start, placement: clamp(numbers(2)[0] ?? 3, 0, 9999), turns: clamp(numbers(3)[0] ?? 40, 1, 9999) };
}

export function writeMap({ rows, start, placement, turns }: Chart): string {
  return `${rows[0]!.length} ${rows.length}\n${start.x} ${start.y}\n${placement}\n${turns}\n${rows.join('\n')}\n`;
}

/** A cell and its images; a quarter turn needs a square map and is a half turn on others. */
export function images(chart: Chart, x: number, y: number, symmetry: Symmetry): [number, number][] {
  const [right, bottom] = [chart.rows[0]!.length - 1, chart.rows.length - 1];
  const half: [number, number] = [right - x, bottom - y];
  if (symmetry === 'x')
    return [
      [x, y],
      [right - x, y],
    ];
  if (symmetry === 'y')
    return [
      [x, y],
      [x, bottom - y],
    ];
  if (symmetry === 'both') return [[x, y], [right - x, y], [x, bottom - y], half];
  if (symmetry === 'quarter' && right === bottom) return [[x, y], [right - y, x], half, [y, bottom - x]];
  return symmetry === 'none' ? [[x, y]] : [[x, y], half];
}

export function paint(chart: Chart, cells: readonly [number, number][], letter: string): Chart {
  const rows = chart.rows.map((row) => row.split(''));
  for (const [x, y] of cells) if (rows[y]?.[x]) rows[y]![x] = letter;
  return { ...chart, rows: rows.map((row) => row.join('')) };
}

/** The cells of the same ground that hang together with this one. */
export function patch(chart: Chart, x: number, y: number): [number, number][] {
  const letter = chart.rows[y]?.[x];
  const found = new Set<string>([`${x},${y}`]);
  const edge: [number, number][] = [[x, y]];
  for (const [a, b] of edge)
    for (const [c, d] of [
      [a, b - 1],
      [a + 1, b],
      [a, b + 1],
      [a - 1, b],
    ] as [number, number][])
      if (chart.rows[d]?.[c] === letter && !found.has(`${c},${d}`)) {
        found.add(`${c},${d}`);
        edge.push([c, d]);
      }
  return edge;
}

/** Another size: what is cut off is gone, what is new is grass; the start stays on the map. */
export function resize(chart: Chart, width: number, height: number): Chart {
  const [w, h] = [clamp(width, 1, LARGEST), clamp(height, 1, LARGEST)];
  const rows = Array.from({ length: h }, (_, y) => (chart.rows[y] ?? '').slice(0, w).padEnd(w, '.'));
  return { ...chart, rows, start: { x: Math.min(chart.start.x, w - 1), y: Math.min(chart.start.y, h - 1) } };
}
