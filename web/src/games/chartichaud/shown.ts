// What the server shows of Chartichaud (view.py), as its schema has it; how counts are read from it and changed while a
// story is told.

import type { components } from '$lib/api/schema';

type Schemas = components['schemas'];
export type Shown = Schemas['chartichaud.Shown'];
export type Told = Schemas['chartichaud.Told'];
export type Place = Schemas['chartichaud.Place'];
export type Stack = Schemas['chartichaud.Stack'];
export type Kind = Schemas['chartichaud.Moved']['unit'];

export const KINDS = ['civilian', 'military', 'building'] as const;
export const FIELD = { civilian: 'civilians', military: 'military', building: 'buildings' } as const;

export function at(cell: string): [number, number] {
  const [x, y] = cell.split(',').map(Number);
  return [x!, y!];
}

export function placeOf(shown: Shown, cell: string | null): Place | undefined {
  return shown.places.find((place) => place.cell === cell);
}

export function many(stack: Stack | undefined, kind: Kind): number {
  return stack ? stack[FIELD[kind]] : 0;
}

export function readyOf(stack: Stack | undefined, kind: Kind): number | null {
  return stack?.ready ? stack.ready[KINDS.indexOf(kind)]! : null;
}

/** The units of one owner that are in sight. */
export function force(shown: Shown, owner: number): Stack {
  const sum: Stack = { owner, civilians: 0, military: 0, buildings: 0, ready: [0, 0, 0] };
  for (const place of shown.places) {
    for (const stack of place.stacks) {
      if (stack.owner !== owner || !place.seen) continue;
      for (const [k, kind] of KINDS.entries()) {
        sum[FIELD[kind]] += many(stack, kind);
        sum.ready![k]! += readyOf(stack, kind) ?? 0;
      }
    }
  }
  return sum;
}

/** The same view with so many units more (or fewer, never below none) on a cell; an unknown cell stays unknown. */
export function changed(shown: Shown, cell: string, owner: number, kind: Kind, by: number): Shown {
  const places = shown.places.map((place) => {
    if (place.cell !== cell) return place;
    const old = place.stacks.find((stack) => stack.owner === owner) ?? empty(owner);
    const next = { ...old, [FIELD[kind]]: Math.max(0, many(old, kind) + by) };
    if (next.ready)
      next.ready = next.ready.map((n, k) => (by < 0 && KINDS[k] === kind ? Math.max(0, n + by) : n)) as never;
    const others = place.stacks.filter((stack) => stack.owner !== owner);
    const left = KINDS.some((each) => many(next, each)) ? [...others, next] : others;
    return { ...place, stacks: left.sort((a, b) => a.owner - b.owner) };
  });
  return { ...shown, places };
}

export function empty(owner: number): Stack {
  return { owner, civilians: 0, military: 0, buildings: 0, ready: null };
}
