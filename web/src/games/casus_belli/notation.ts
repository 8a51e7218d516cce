// Casus Belli in writing, as the pages need it: orders as text, and what is on offer by champion.
//
//   thief attack 12,7     barbarian fus     elf path EENN face S     elf face W     seal
//
// The server lists one path to each cell; any other path may be written, and it says whether it goes.

import facts from './facts.json';
import type { Facing, Own, Role, Shown, Unit } from './shown';

export const ROLES: readonly Role[] = ['thief', 'barbarian', 'elf'];
export const FACINGS: readonly Facing[] = ['N', 'E', 'S', 'W'];
/** The basic attack and the two abilities, in the order of their cooldowns. */
export const ATTACKS: Record<Role, readonly [string, string, string]> = {
  thief: ['attack', 'palantir', 'treachery'],
  barbarian: ['attack', 'bastoooon', 'fus'],
  elf: ['attack', 'reveal', 'loto'],
};
export const MOST_STEPS = facts.steps;
const MOST_MOMENTS = 8; // whose offers are remembered: several teams may share a screen

export interface Place {
  x: number;
  y: number;
}
const MOVE: Record<Facing, readonly [number, number]> = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };

export function place(cell: string): Place {
  const comma = cell.indexOf(',');
  return { x: Number(cell.slice(0, comma)), y: Number(cell.slice(comma + 1)) };
}

export function cellName(x: number, y: number): string {
  return `${x},${y}`;
}

export function beyond(cell: string, way: Facing): string {
  const { x, y } = place(cell);
  return cellName(x + MOVE[way][0], y + MOVE[way][1]);
}

/** The cells of a walk, its first one included. */
export function trail(from: string, steps: string): string[] {
  const cells = [from];
  for (const step of steps) cells.push(beyond(cells.at(-1)!, step as Facing));
  return cells;
}

/** The steps between two cells, first along the longer side; '' if they are the same. */
export function stride(from: string, to: string): string {
  const [a, b] = [place(from), place(to)];
  const across = (b.x < a.x ? 'W' : 'E').repeat(Math.abs(b.x - a.x));
  const down = (b.y < a.y ? 'N' : 'S').repeat(Math.abs(b.y - a.y));
  return across.length >= down.length ? across + down : down + across;
}

export interface Order {
  role: Role;
  /** path, hold, or the name of an attack. */
  what: string;
  cell: string;
  steps: string;
  facing: Facing | '';
}

export function readOrder(text: string): Order | null {
  const words = text.split(' ');
  const role = words[0] as Role;
  if (!ROLES.includes(role) || words.length < 2) return null;
  const what = words[1]!;
  if (what !== 'path' && what !== 'face') return { role, what, cell: words[2] ?? '', steps: '', facing: '' };
  const steps = what === 'path' ? (words[2] ?? '') : '';
  const face = words.indexOf('face');
  const facing = (face > 0 ? words[face + 1] : steps.at(-1)) as Facing;
  return { role, what: 'path', cell: '', steps, facing };
}

export function pathText(role: Role, steps: string, facing: Facing | ''): string {
  if (!steps) return `${role} face ${facing || 'N'}`;
  return `${role} path ${steps}${facing && facing !== steps.at(-1) ? ` face ${facing}` : ''}`;
}

export function attackText(role: Role, what: string, cell: string): string {
  return `${role} ${what}${cell ? ` ${cell}` : ''}`;
}

/** What one champion is offered. */
export interface Offer {
  /** The cells that each attack may aim at; none if it needs no cell. */
  attacks: Map<string, string[]>;
  /** By their last cell, the paths on offer. */
  paths: Map<string, string>;
}
export type Offers = Map<Role, Offer>;

/** Groups the texts on offer by champion; `cells` says where each stands. */
export function offersOf(legal: readonly string[], cells: ReadonlyMap<Role, string>): Offers {
  const offers: Offers = new Map(ROLES.map((role) => [role, { attacks: new Map(), paths: new Map() }]));
  for (const text of legal) {
    const order = readOrder(text);
    const offer = order && offers.get(order.role);
    if (!offer) continue;
    if (order.what === 'path') {
      const from = cells.get(order.role);
      if (from && order.steps) offer.paths.set(trail(from, order.steps).at(-1)!, order.steps);
    } else {
      const aims = offer.attacks.get(order.what) ?? [];
      if (order.cell) aims.push(order.cell);
      offer.attacks.set(order.what, aims);
    }
  }
  return offers;
}

/** Where the champion of an order stands, walks to and strikes. */
export function cellsOf(action: string, shown: Shown, observer: number): string[] {
  const order = readOrder(action);
  const unit = shown.units.find(({ team, role }) => team === observer && role === order?.role);
  if (!order || !unit) return [];
  return [...new Set([unit.cell, trail(unit.cell, order.steps).at(-1)!, ...(order.cell ? [order.cell] : [])])];
}

/** An order that was given is not offered again, though it may be changed: what was offered this turn still holds. */
export class Memory {
  private kept = new Map<string, Offers>();

  /** What is possible now; `moment` names the turn and whose it is, `ordered` says whether an order was given in it. */
  offers(moment: string, legal: readonly string[], standing: ReadonlyMap<Role, Unit>, ordered: boolean): Offers {
    const now = offersOf(legal, new Map([...standing].map(([role, unit]) => [role, unit.cell])));
    for (const [role, before] of this.kept.get(moment) ?? []) {
      const offer = now.get(role)!;
      if (!offer.attacks.size) offer.attacks = before.attacks;
      if (!offer.paths.size) offer.paths = before.paths;
    }
    if (!this.kept.has(moment) || !ordered) this.kept.set(moment, now);
    if (this.kept.size > MOST_MOMENTS) this.kept.delete(this.kept.keys().next().value!);
    return now;
  }
}

/** One thing that a champion may be told to do, as a button shows it. */
export interface Act {
  /** path, hold, or the name of an attack. */
  what: string;
  key: string;
  /** How many turns it still waits. */
  wait: number;
  possible: boolean;
  given: boolean;
}

export function actsOf(own: Own, offer: Offer | undefined, moves: boolean, attacks: boolean): Act[] {
  const given = readOrder(own.attack)?.what;
  const walk = { what: 'path', key: 'M', wait: 0, possible: true, given: !!own.path };
  const strikes = ATTACKS[own.role].map((what, k) => {
    const wait = k ? own.cooldowns[k - 1]! : 0;
    const possible = !wait && (!!own.attack || !!offer?.attacks.has(what));
    return { what, key: 'AXC'[k]!, wait, possible, given: given === what };
  });
  const hold = { what: 'hold', key: 'H', wait: 0, possible: true, given: given === 'hold' };
  return [...(moves ? [walk] : []), ...(attacks ? [...strikes, hold] : [])];
}

/** Does it need a cell? */
export function isAimed(role: Role, what: string, wideBastoooon: boolean): boolean {
  return !['hold', 'treachery', 'fus'].includes(what) && (what !== 'bastoooon' || wideBastoooon);
}

/** May it be aimed at cells that are not listed? */
export function isFree(what: string): boolean {
  return what === 'reveal' || what === 'loto';
}

/** The cells that an attack covers, as offsets: one, a plus, a square. Only for the drawing. */
export function reachOf(role: Role, what: string, wideBastoooon: boolean): { plus: boolean; radius: number } {
  if (what === 'palantir') return { plus: false, radius: 5 };
  if (what === 'reveal') return { plus: false, radius: 4 };
  const plus = role === 'barbarian' && (what === 'attack' || (what === 'bastoooon' && wideBastoooon));
  return { plus, radius: plus ? 1 : 0 };
}
