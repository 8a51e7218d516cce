// The ground as a few paths: a map of forty by forty is drawn with a dozen elements, not with 1,600.
// A cell is 100 units wide; north is on top.

import facts from './facts.json';

export const CELL = 100;
/** The letters of map files, and what it costs to leave such a cell (a wall is never entered). */
export const PRICES: Record<string, number> = facts.prices;
export const LETTERS = '._~#FTH';
export const MOVEMENT = facts.movement;

/** All cells so far from one, as far as the map goes; `inset` units inside their border. */
export function square(at: { x: number; y: number }, radius: number, width: number, height: number, inset = 0) {
  const [left, top] = [Math.max(0, at.x - radius), Math.max(0, at.y - radius)];
  const [right, bottom] = [Math.min(width, at.x + radius + 1), Math.min(height, at.y + radius + 1)];
  return {
    x: left * CELL + inset,
    y: top * CELL + inset,
    width: (right - left) * CELL - 2 * inset,
    height: (bottom - top) * CELL - 2 * inset,
  };
}

const SMALLEST = 12.2; // pixels

/**
 * The size of letters on the map, where a pixel of the screen has `grain` units: as drawn, larger from afar so that one
 * can read them, and 0 where they would be larger than their place: then one sees shapes and colours, and comes nearer.
 */
export function letters(usual: number, grain: number, most: number): number {
  const size = Math.max(usual, SMALLEST * grain);
  return size <= most ? size : 0;
}

type Inside = (x: number, y: number) => boolean;

/**
 * The borders of a region of cells, as closed lines: fill it with `evenodd`, or stroke it. `left` and `top` shift it.
 */
export function outline(width: number, height: number, inside: Inside, left = 0, top = 0): string {
  const within: Inside = (x, y) => x >= 0 && y >= 0 && x < width && y < height && inside(x, y);
  const side = width + 1;
  // edges run with the region on their right; at a corner where two cells touch, the turn to the right stays with one
  const next = new Map<number, number[]>();
  const edge = (ax: number, ay: number, bx: number, by: number) => {
    const at = ay * side + ax;
    next.set(at, [...(next.get(at) ?? []), by * side + bx]);
  };
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!within(x, y)) continue;
      if (!within(x, y - 1)) edge(x, y, x + 1, y);
      if (!within(x + 1, y)) edge(x + 1, y, x + 1, y + 1);
      if (!within(x, y + 1)) edge(x + 1, y + 1, x, y + 1);
      if (!within(x - 1, y)) edge(x, y + 1, x, y);
    }
  const loops: string[] = [];
  for (const start of next.keys())
    while (next.get(start)?.length) {
      const points: number[] = [start];
      let at = start;
      let way = 0;
      do {
        const ways = next.get(at)!;
        const right = way === 1 ? side : way === side ? -1 : way === -1 ? -side : 1;
        const to = ways.length > 1 && ways.includes(at + right) ? at + right : ways[0]!;
        ways.splice(ways.indexOf(to), 1);
        if (to - at === way) points.pop();
        points.push(to);
        way = to - at;
        at = to;
      } while (at !== start);
      points.pop();
      loops.push(
        `M${points.map((p) => `${(left + (p % side)) * CELL} ${(top + Math.floor(p / side)) * CELL}`).join('L')}Z`,
      );
    }
  return loops.join('');
}

/** Always the same small number for a cell, so that trees stand where they stood. */
export function chance(x: number, y: number, salt: number): number {
  let h = (x * 374761393 + y * 668265263 + salt * 2147483647) | 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

export interface Terrain {
  grid: string;
  road: string;
  marsh: string;
  waves: string;
  wall: string;
  bricks: string;
  forest: string;
  trunks: string;
  trees: string;
  tufts: string;
  towers: { x: number; y: number }[];
}

export function terrain(rows: readonly string[]): Terrain {
  const [height, width] = [rows.length, rows[0]?.length ?? 0];
  const at = (x: number, y: number) => rows[y]?.[x] ?? '';
  const of = (letter: string) => outline(width, height, (x, y) => at(x, y) === letter);
  const drawn: Terrain = {
    grid: lines(width, height),
    road: '',
    marsh: of('~'),
    waves: '',
    wall: of('#'),
    bricks: '',
    forest: of('F'),
    trunks: '',
    trees: '',
    tufts: '',
    towers: [],
  };
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [left, top] = [x * CELL, y * CELL];
      const letter = at(x, y);
      if (letter === '_') drawn.road += road(at, x, y);
      else if (letter === '~')
        drawn.waves += `M${left + 16} ${top + 34}q12 -11 24 0t24 0M${left + 36} ${top + 70}q12 -11 24 0t24 0`;
      else if (letter === '#')
        drawn.bricks += `M${left} ${top + 34}h100M${left} ${top + 67}h100M${left + 50} ${top + 2}v32M${left + 22} ${top + 34}v33M${left + 74} ${top + 34}v33M${left + 50} ${top + 67}v31`;
      else if (letter === 'F') grow(drawn, x, y);
      else if (letter === 'T') drawn.towers.push({ x: left + 50, y: top + 50 });
      else if (letter === '.' && chance(x, y, 1) < 0.28) {
        const [a, b] = [left + 22 + 50 * chance(x, y, 2), top + 34 + 42 * chance(x, y, 3)];
        drawn.tufts += `M${Math.round(a)} ${Math.round(b)}l-5 -13m5 13l1 -17m0 17l6 -12`;
      }
    }
  return drawn;
}

function lines(width: number, height: number): string {
  let d = '';
  for (let x = 1; x < width; x++) d += `M${x * CELL} 0V${height * CELL}`;
  for (let y = 1; y < height; y++) d += `M0 ${y * CELL}H${width * CELL}`;
  return d;
}

/** From the middle of a cell to the middles of its neighbours on the way; towers and hotspots lie on roads, too. */
function road(at: (x: number, y: number) => string, x: number, y: number): string {
  const [a, b] = [x * CELL + 50, y * CELL + 50];
  let d = `M${a} ${b}h0.1`;
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ] as const) {
    const there = at(x + dx, y + dy);
    if (there === '_') d += dx + dy > 0 ? `M${a} ${b}l${dx * 100} ${dy * 100}` : '';
    else if (there === 'T' || there === 'H') d += `M${a} ${b}l${dx * 50} ${dy * 50}`;
  }
  return d;
}

function grow(drawn: Terrain, x: number, y: number): void {
  const spots = [
    [28, 44],
    [70, 40],
    [48, 82],
  ] as const;
  spots.forEach(([dx, dy], k) => {
    const [a, b] = [
      Math.round(x * CELL + dx + 10 * (chance(x, y, 4 + k) - 0.5)),
      Math.round(y * CELL + dy + 10 * (chance(x, y, 7 + k) - 0.5)),
    ];
    drawn.trunks += `M${a} ${b}v10`;
    drawn.trees += `M${a} ${b - 36}l13 20h-7l11 18h-34l11 -18h-7z`;
  });
}

/** What a walk costs so far: paid on each cell that is left. */
export function price(rows: readonly string[], left: readonly { x: number; y: number }[]): number {
  return left.reduce((sum, { x, y }) => sum + (PRICES[rows[y]?.[x] ?? ''] ?? 99), 0);
}
