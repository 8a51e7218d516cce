// A garden that people write (setup.py): five rows of words such as `gf2`, `sky`, `gf2=A`. Here it is read into 29
// cells, however unfinished, changed by a brush, counted and written again; whether it is allowed is the server's to
// say.

import { around, opposite, PLACES, ROWS } from './drawing';
import { GROUNDS, RESOURCES, SPECIALS, type Ground, type Resource } from './shown';

export interface Plot {
  ground: Ground;
  resource: Resource;
  amount: 1 | 2;
  /** Whose start it is. */
  start: 'A' | 'B' | null;
}

export type Brush =
  | { kind: 'ground'; ground: Ground }
  | { kind: 'resource'; resource: Resource; amount: 1 | 2 }
  | { kind: 'start'; start: 'A' | 'B' };

const BARE: Plot = { ground: 'grass', resource: 'food', amount: 1, start: null };
const special = (ground: Ground): boolean => (SPECIALS as readonly string[]).includes(ground);
const letter = <Name extends string>(names: readonly Name[], initial: string): Name | undefined =>
  names.find((name) => name[0] === initial);

const WORD = /^(?:([gsm])([fmsw])([12])|(sky|candy|barbecue|pool))(?:=([AB]))?$/;

export function readMap(text: string): Plot[] {
  const found = text.split('\n').flatMap((line) => line.split('#')[0]!.split(/\s+/).filter(Boolean));
  return PLACES.map((_, k) => {
    const read = WORD.exec(found[k] ?? '');
    if (!read) return BARE;
    const [, simple = '', resource = '', amount, name, start = null] = read;
    const ground = (name ?? letter(GROUNDS, simple)) as Ground;
    return {
      ground,
      resource: letter(RESOURCES, resource) ?? 'food',
      amount: amount === '2' ? 2 : 1,
      start: start as Plot['start'],
    };
  });
}

/** The map in its rows, as the ones in maps.py; remarks of the old text stay at its head. */
export function writeMap(plots: Plot[], before = ''): string {
  const remarks = before
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('#'));
  let k = 0;
  const rows = ROWS.map((length) => {
    const found = Array.from({ length }, () => plots[k++]!).map(({ ground, resource, amount, start }) => {
      const name = special(ground) ? ground : `${ground[0]}${resource[0]}${amount}`;
      return (start ? `${name}=${start}` : name).padEnd(9);
    });
    return (' '.repeat((7 - length) * 4) + found.join('')).trimEnd();
  });
  return [...remarks, ...rows, ''].join('\n');
}

/** The half turn takes the sky to the candy and the barbecue to the pool, A to B. */
const TURNED: Partial<Record<Ground, Ground>> = { sky: 'candy', candy: 'sky', barbecue: 'pool', pool: 'barbecue' };

function turned(brush: Brush): Brush {
  if (brush.kind === 'ground') return { kind: 'ground', ground: TURNED[brush.ground] ?? brush.ground };
  return brush.kind === 'start' ? { kind: 'start', start: brush.start === 'A' ? 'B' : 'A' } : brush;
}

function dab(plots: Plot[], at: number, brush: Brush): Plot[] {
  return plots.map((plot, k) => {
    if (brush.kind === 'start') {
      // One start a side, on a simple cell.
      if (k === at) return { ...plot, ground: special(plot.ground) ? 'grass' : plot.ground, start: brush.start };
      return plot.start === brush.start ? { ...plot, start: null } : plot;
    }
    if (brush.kind === 'resource') return k === at ? { ...plot, resource: brush.resource, amount: brush.amount } : plot;
    if (k === at) return { ...plot, ground: brush.ground, start: special(brush.ground) ? null : plot.start };
    // Each special cell is there once: the old one becomes a lawn.
    return special(brush.ground) && plot.ground === brush.ground ? { ...plot, ground: 'grass' } : plot;
  });
}

/** The cells of the same ground that are connected with this one. */
export function region(plots: Plot[], from: number): number[] {
  const found = new Set([from]);
  for (const cell of found)
    for (const near of around(cell)) if (plots[near]!.ground === plots[from]!.ground) found.add(near);
  return [...found];
}

export function paint(plots: Plot[], at: number, brush: Brush, how: { fill: boolean; symmetric: boolean }): Plot[] {
  const once = brush.kind === 'start' || (brush.kind === 'ground' && special(brush.ground));
  const cells = how.fill && !once ? region(plots, at) : [at];
  let painted = plots;
  for (const cell of cells) {
    // The middle cell is its own opposite: what the brush says holds.
    if (how.symmetric && opposite(cell) !== cell) painted = dab(painted, opposite(cell), turned(brush));
    painted = dab(painted, cell, brush);
  }
  return painted;
}

/** How many cells of each ground, how many of each resource, which starts. */
export function counted(plots: Plot[]): Record<Ground | Resource | 'A' | 'B', number> {
  const count = Object.fromEntries([...GROUNDS, ...RESOURCES, 'A', 'B'].map((name) => [name, 0]));
  for (const plot of plots) {
    count[plot.ground]!++;
    if (!special(plot.ground)) count[plot.resource]!++;
    if (plot.start) count[plot.start]!++;
  }
  return count as Record<Ground | Resource | 'A' | 'B', number>;
}
