// Cultist in writing: the texts of what may be done, sorted by unit and cell.

import facts from './facts.json';
import type { Aim, Shown, Unit } from './shown';

export const NEUTRAL = 2;
export const FULL_HP = facts.hp;

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
