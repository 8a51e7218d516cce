// The actions that are offered, read from their texts: `move civilian 4,5 east`, `harvest 4,5`, `build 4,5`,
// `recruit military 4,5`, `end`. Nothing here knows whether an action is allowed: only what the list says.

import facts from './facts.json';
import { at, KINDS, readyOf, type Kind, type Place } from './shown';

export type Verb = 'move' | 'harvest' | 'build' | 'recruit';

export interface Order {
  text: string;
  verb: Verb;
  cell: string;
  /** The kind of unit that does it. */
  kind: Kind;
  /** Where a move ends. */
  to: string | null;
  /** What is made. */
  makes: Kind | null;
}

export const STEPS = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] } as const;
export type Direction = keyof typeof STEPS;

/** What is paid, for price tags. */
export const PRICES: Record<Kind, number> = facts.prices;

export function step(cell: string, direction: Direction): string {
  const [x, y] = at(cell);
  return `${x + STEPS[direction][0]},${y + STEPS[direction][1]}`;
}

/** An order, or null for `end` and for texts that this page does not know. */
export function read(text: string): Order | null {
  const [verb, ...rest] = text.split(' ');
  const order = { text, to: null, makes: null };
  const [first, second, third] = rest as [string, string?, string?];
  if (verb === 'move' && isKind(first) && second && third! in STEPS) {
    return { ...order, verb, kind: first, cell: second, to: step(second, third as Direction) };
  }
  if (verb === 'recruit' && isKind(first) && second)
    return { ...order, verb, kind: 'building', cell: second, makes: first };
  if (verb === 'harvest') return { ...order, verb, kind: 'civilian', cell: first };
  if (verb === 'build') return { ...order, verb, kind: 'civilian', cell: first, makes: 'building' };
  return null;
}

function isKind(word: string | undefined): word is Kind {
  return KINDS.includes(word as Kind);
}

/** The orders of each cell, in the order of the list. */
export function byCell(legal: string[]): Map<string, Order[]> {
  const cells = new Map<string, Order[]>();
  for (const text of legal) {
    const order = read(text);
    if (!order) continue;
    const there = cells.get(order.cell);
    if (there) there.push(order);
    else cells.set(order.cell, [order]);
  }
  return cells;
}

/** How many units still have something to do. */
export function stillReady(orders: Map<string, Order[]>, places: Map<string, Place>, seat: number | null): number {
  let sum = 0;
  for (const [cell, there] of orders) {
    const mine = places.get(cell)?.stacks.find((stack) => stack.owner === seat);
    for (const kind of new Set(there.map((order) => order.kind))) sum += readyOf(mine, kind) ?? 0;
  }
  return sum;
}
