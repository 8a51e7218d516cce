// A map while it is drawn: seven rows of thirteen signs, `.` floor, `x` obstacle, `n` neutral, `A` and `B` the leaders.
// Nothing
// is judged here: the server says whether a match may begin on it.

import facts from './facts.json';
import { HEIGHT, read, WIDTH } from './drawing';

export type Sign = '.' | 'x' | 'n' | 'A' | 'B';
export const NEUTRALS = facts.neutrals;

/** The rows of a text, whatever is missing filled up with floor; of a written position, its obstacles and units. */
export function readMap(text: string): Sign[][] {
  const words = text.replaceAll('/', ' ').trim().split(/\s+/);
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Array.from({ length: WIDTH }, (_, x): Sign => {
      const sign = words[y]?.[x] ?? '.';
      return 'xnAB'.includes(sign) ? (sign as Sign) : /[1-9]/.test(sign) ? 'x' : '.';
    }),
  );
  for (const word of words.slice(HEIGHT)) {
    const [, owner, kind, x, y] = word.match(/^(?:([01])([Lc])|n)\d+@(\d+),(\d+)$/) ?? [];
    if (x !== undefined && rows[Number(y)]?.[Number(x)])
      rows[Number(y)]![Number(x)] = kind === 'L' ? (owner === '0' ? 'A' : 'B') : 'n';
  }
  return rows;
}

export function writeMap(rows: Sign[][]): string {
  return rows.map((row) => row.join('')).join('\n');
}

export function mirror(cell: string): string {
  const { x, y } = read(cell);
  return `${WIDTH - 1 - x},${y}`;
}

export function count(rows: Sign[][], sign: Sign): number {
  return rows.flat().filter((each) => each === sign).length;
}

/**
 * Paints a cell, and its mirror image if that is wanted. There is one leader of each side: it comes from where it
 * was.
 */
export function paint(rows: Sign[][], cell: string, sign: Sign, symmetric: boolean): Sign[][] {
  const facing: Sign = sign === 'A' ? 'B' : sign === 'B' ? 'A' : sign;
  const strokes: [string, Sign][] = [
    ...(symmetric && mirror(cell) !== cell ? [[mirror(cell), facing] as [string, Sign]] : []),
    [cell, sign],
  ];
  const painted = rows.map((row) => [...row]);
  for (const [where, put] of strokes) {
    const { x, y } = read(where);
    if (put === 'A' || put === 'B') for (const row of painted) row.forEach((each, k) => each === put && (row[k] = '.'));
    painted[y]![x] = put;
  }
  return painted;
}
