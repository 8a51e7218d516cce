// A map file as the editor holds it: a header `W H`, then lines `gold x y n` and `unit owner kind x y n`; what follows
// a # is a comment. Only the format: whether a map may be played, the server says.

import facts from './facts.json';
import { FIELD, KINDS, empty, many, type Kind, type Place, type Shown, type Stack } from './shown';

export interface Plot {
  gold: number;
  /** Units of A and of B. */
  stacks: [Stack, Stack];
}

export interface Plan {
  width: number;
  height: number;
  plots: Map<string, Plot>;
}

export const SIZES = { least: 5, most: 40 };
export const MOST = facts.most;
export const BLANK = '16 9\nunit A civilian 0 0 3\nunit B civilian 15 8 3\n';

export type Tool = 'gold' | 'erase' | `${0 | 1} ${Kind}`;

/** The plan that a text draws, or the number of the line that cannot be drawn. */
export function readMap(text: string): Plan | number {
  const lines = text.split('\n').map((line) => line.split('#')[0]!.trim().split(/\s+/).filter(Boolean));
  const first = lines.findIndex((words) => words.length);
  const [width, height] = (lines[first] ?? []).map(Number);
  if (lines[first]?.length !== 2 || !fits(width) || !fits(height)) return Math.max(first, 0) + 1;
  const plan: Plan = { width, height, plots: new Map() };
  for (const [n, words] of lines.entries()) {
    if (n > first && words.length && !readLine(plan, words)) return n + 1;
  }
  return plan;
}

function fits(size: number | undefined): size is number {
  return Number.isInteger(size) && size! >= SIZES.least && size! <= SIZES.most;
}

function readLine(plan: Plan, words: string[]): boolean {
  const gold = words[0] === 'gold' && words.length === 4;
  if (!gold && !(words[0] === 'unit' && words.length === 6)) return false;
  const [x, y, n] = words.slice(-3).map((word) => (/^\d+$/.test(word) ? Number(word) : -1)) as [number, number, number];
  if (x < 0 || y < 0 || n < 1 || x >= plan.width || y >= plan.height) return false;
  const plot = plan.plots.get(`${x},${y}`) ?? bare();
  plan.plots.set(`${x},${y}`, plot);
  if (gold) {
    plot.gold += n;
    return true;
  }
  const owner = 'AB'.indexOf(words[1]!.toUpperCase());
  const kind = KINDS.find((each) => [each, each[0]].includes(words[2]!.toLowerCase()));
  if (owner < 0 || !kind) return false;
  plot.stacks[owner]![FIELD[kind]] += n;
  return true;
}

function bare(): Plot {
  return { gold: 0, stacks: [empty(0), empty(1)] };
}

export function writeMap(plan: Plan): string {
  const gold: string[] = [];
  const units: string[] = [];
  for (let y = 0; y < plan.height; y += 1) {
    for (let x = 0; x < plan.width; x += 1) {
      const plot = plan.plots.get(`${x},${y}`);
      if (plot?.gold) gold.push(`gold ${x} ${y} ${plot.gold}`);
      for (const stack of plot?.stacks ?? []) {
        for (const kind of KINDS) {
          if (many(stack, kind)) units.push(`unit ${'AB'[stack.owner]} ${kind} ${x} ${y} ${many(stack, kind)}`);
        }
      }
    }
  }
  return [`${plan.width} ${plan.height}`, ...gold, ...units, ''].join('\n');
}

/** The cell that a half turn of the map puts in this one's place. */
export function opposite(plan: Plan, x: number, y: number): [number, number] {
  return [plan.width - 1 - x, plan.height - 1 - y];
}

/** The plan after one stroke: `n` is set, not added; 0 clears what the tool paints. */
export function painted(plan: Plan, tool: Tool, n: number, x: number, y: number, symmetric: boolean): Plan {
  const once = stroke(plan, tool, n, x, y);
  if (!symmetric) return once;
  const [owner, kind] = tool.split(' ') as [string, Kind?];
  return stroke(once, kind ? (`${owner === '0' ? 1 : 0} ${kind}` as Tool) : tool, n, ...opposite(plan, x, y));
}

function stroke(plan: Plan, tool: Tool, n: number, x: number, y: number): Plan {
  const plots = new Map(plan.plots);
  const old = plots.get(`${x},${y}`) ?? bare();
  const plot: Plot = { gold: old.gold, stacks: [{ ...old.stacks[0] }, { ...old.stacks[1] }] };
  const [owner, kind] = tool.split(' ') as [string, Kind?];
  if (kind) plot.stacks[Number(owner)]![FIELD[kind]] = n;
  else if (tool === 'gold') plot.gold = n;
  if (tool === 'erase') plots.delete(`${x},${y}`);
  else plots.set(`${x},${y}`, plot);
  return { ...plan, plots };
}

/** How much of what the tool paints is on a cell. */
export function paints(plan: Plan, tool: Tool, cell: string): number {
  const plot = plan.plots.get(cell);
  const [owner, kind] = tool.split(' ') as [string, Kind?];
  return kind ? many(plot?.stacks[Number(owner)], kind) : tool === 'gold' ? (plot?.gold ?? 0) : 0;
}

/** Does half a turn, with the sides swapped, leave the map as it is? */
export function isFair(plan: Plan): boolean {
  const turned: Plan = { ...plan, plots: new Map() };
  for (const [cell, { gold, stacks }] of plan.plots) {
    const [x, y] = cell.split(',').map(Number) as [number, number];
    const swapped: [Stack, Stack] = [{ ...stacks[1], owner: 0 }, { ...stacks[0], owner: 1 }];
    turned.plots.set(opposite(plan, x, y).join(), { gold, stacks: swapped });
  }
  return writeMap(turned) === writeMap(plan);
}

/** Another size: every cell keeps its distance from the nearer edge, so that a fair map stays fair; what then would
    pass the middle is lost. */
export function resized(plan: Plan, width: number, height: number): Plan {
  const plots = new Map<string, Plot>();
  for (const [cell, plot] of plan.plots) {
    const [x, y] = cell.split(',').map(Number) as [number, number];
    const [nx, ny] = [moved(x, plan.width, width), moved(y, plan.height, height)];
    if (nx !== null && ny !== null && !plots.has(`${nx},${ny}`)) plots.set(`${nx},${ny}`, plot);
  }
  return { width, height, plots };
}

function moved(k: number, from: number, to: number): number | null {
  const [far, last] = [from - 1 - k, to - 1];
  if (k === far) return Math.floor(last / 2);
  if (Math.min(k, far) * 2 > last) return null;
  return k < far ? k : last - far;
}

/** The plan as a view in which everything is seen. */
export function shownOf(plan: Plan): Shown {
  const places: Place[] = [];
  for (let y = 0; y < plan.height; y += 1) {
    for (let x = 0; x < plan.width; x += 1) {
      const plot = plan.plots.get(`${x},${y}`);
      const stacks = plot?.stacks.filter((stack) => KINDS.some((kind) => many(stack, kind))) ?? [];
      places.push({ cell: `${x},${y}`, x, y, seen: true, since: null, gold: plot?.gold ?? 0, reaped: false, stacks });
    }
  }
  const { width, height } = plan;
  return { width, height, turn: 0, turns: 0, player: 0, loser: -1, points: [0, 0], purse: null, places };
}
