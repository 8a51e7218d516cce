// Cultist in writing: the texts of what may be done, sorted by unit and cell; and what an event changes.

import type { Aim, Shown, Told, Unit } from './shown';

export const NEUTRAL = 2;
export const FULL_HP = 10;

export interface Deed {
  action: string;
  unit: number;
  verb: 'MOVE' | 'SHOOT' | 'CONVERT';
  /** Where one clicks for it. */
  cell: string;
  /** What a shot would do, if the server says it. */
  aim?: Aim;
}

/** The deeds of each unit, out of the texts. `WAIT` is nobody's. */
export function offers(legal: string[], { units, aims }: Pick<Shown, 'units' | 'aims'>): Map<number, Deed[]> {
  const offered = new Map<number, Deed[]>();
  const cells = new Map(units.map(({ id, cell }) => [String(id), cell]));
  const known = new Map(aims.map((aim) => [aim.action, aim]));
  for (const action of legal) {
    const [, unit, verb, ...target] = action.match(/^(\d+) (MOVE|SHOOT|CONVERT) (\d+)(?:[ ,](\d+))?$/) ?? [];
    if (!verb) continue;
    const cell = target[1] === undefined ? cells.get(target[0]!) : target.join();
    if (!cell) continue;
    const deed: Deed = { action, unit: Number(unit), verb: verb as Deed['verb'], cell, aim: known.get(action) };
    offered.set(deed.unit, [...(offered.get(deed.unit) ?? []), deed]);
  }
  return offered;
}

/** The unit that acts, and where. */
export function cellsOf(action: string, shown: Shown): string[] {
  const [deed] = [...offers([action], shown).values()].flat();
  const from = shown.units.find(({ id }) => id === deed?.unit)?.cell;
  return deed && from ? [from, deed.cell] : [];
}

/** A shot that hurts no enemy: stopped by a stone in vain, or taken by one's own or by a neutral. */
export function wasted({ verb, aim }: Deed, units: Unit[], seat: number): boolean {
  if (verb !== 'SHOOT' || !aim) return false;
  const victim = units.find(({ id }) => id === aim.struck);
  return aim.damage === 0 || (victim !== undefined && victim.owner !== 1 - seat);
}

export type Scene = Pick<Shown, 'units' | 'obstacles'>;

/** The scene after one event. */
export function after({ units, obstacles }: Scene, event: Told): Scene {
  const change = (id: number | undefined, to: Partial<Unit>) =>
    units.map((unit) => (unit.id === id ? { ...unit, ...to } : unit));
  const last = event.cells.at(-1)!;
  switch (event.kind) {
    case 'moved':
    case 'wandered':
      return { units: change(event.unit, { cell: last }), obstacles };
    case 'converted':
      return { units: change(event.unit, { owner: event.owner }), obstacles };
    case 'shot':
      if (event.struck >= 0) return { units: change(event.struck, { hp: event.hp }), obstacles };
      if (!event.damage) return { units, obstacles };
      return {
        units,
        obstacles: obstacles.map((stone) => (stone.cell === last ? { ...stone, hp: event.hp } : stone)),
      };
    case 'died':
      return { units: units.filter(({ id }) => id !== event.unit), obstacles };
    case 'destroyed':
      return { units, obstacles: obstacles.filter(({ cell }) => cell !== last) };
    default:
      return { units, obstacles };
  }
}
