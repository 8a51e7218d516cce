// The texts of `legal`, taken apart and grouped for the board: what can be done with a cell, and what a click means.
// No rules here: whatever is offered stands in `legal`.

import type { PowerName } from './shown';

export interface Action {
  text: string;
  kind: 'move' | 'place' | 'end' | PowerName;
  from: string | null;
  to: string | null;
  count: number;
}

export const read = (text: string): Action => {
  const [, verb = '', from = null, , to = null, , count = '0'] =
    /^(?:([a-z]+)(?: |$))?(?:([a-e]\d)(?=[-+]))?(-?([a-e]\d))?(\+(\d))?$/.exec(text) ?? [];
  if (count !== '0') return { text, kind: 'place', from: null, to: from, count: Number(count) };
  return { text, kind: (verb || 'move') as Action['kind'], from, to, count: 0 };
};

/** Powers that leave from a cell of one's own: first the cell, then the target. */
export const LEAVES: ReadonlySet<string> = new Set(['sky', 'shelter']);

/** One letter each, the same in both languages. */
export const LETTERS: Readonly<Record<PowerName | 'end', string>> = {
  end: 'e',
  sky: 's',
  candy: 'c',
  barbecue: 'b',
  pool: 'p',
  pillage: 'l',
  poison: 'o',
  forge: 'g',
  immobilise: 'i',
  shelter: 'a',
};

/** What a click on a cell would do now: play an action, or take the cell in hand. */
export type Meaning = { play: Action } | { take: true };

export function meanings(actions: Action[], selected: string | null, power: string | null): Map<string, Meaning> {
  const found = new Map<string, Meaning>();
  const uses = actions.filter((action) => action.kind === (power ?? 'move'));
  if (power && !LEAVES.has(power)) {
    for (const action of uses) if (action.to) found.set(action.to, { play: action });
    return found;
  }
  const leaving = uses.filter((action) => action.from === selected);
  if (leaving.length) for (const action of leaving) found.set(action.to!, { play: action });
  else if (selected === null || power) for (const action of uses) found.set(action.from!, { take: true });
  if (!power && selected === null)
    for (const action of actions) if (action.kind === 'place') found.set(action.to!, { take: true });
  return found;
}

/** Everything that can be done with or to a cell, besides the moves that start there (the board shows those). */
export function offers(actions: Action[], cell: string): Action[] {
  const uses = actions.filter((action) => action.kind !== 'place' && (action.to === cell || action.from === cell));
  const seen = new Set<string>();
  return uses.filter((action) => {
    if (action.kind === 'move') return action.to === cell;
    const name = action.from === cell ? action.kind : action.text;
    return !seen.has(name) && seen.add(name);
  });
}

/** How many creatures may be placed on a cell. */
export const counts = (actions: Action[], cell: string | null): Action[] =>
  actions.filter((action) => action.kind === 'place' && action.to === cell);

/** Whether to ask once: a price is paid, or something is left behind. */
export function costly(action: Action, actions: Action[], stock: number): 'price' | 'left' | 'jar' | null {
  if (action.kind === 'end') return actions.length > 1 ? 'left' : null;
  if (action.kind === 'place')
    return action.count === stock && actions.some((other) => other.kind === 'candy') ? 'jar' : null;
  return action.kind === 'move' ? null : 'price';
}
