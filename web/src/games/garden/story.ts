// How one event changes the cells, so that a story can be drawn event by event.

import { INDEX } from './drawing';
import type { Hex, Told } from './shown';

const EMPTY = { owner: -1, creatures: 0, state: 'normal', ticks: 0, immobilised: 0, forged: 0 } as const;

export function fold(hexes: Hex[], event: Told): Hex[] {
  const next = [...hexes];
  const change = (name: string | undefined, made: (hex: Hex) => Partial<Hex>) => {
    const at = INDEX.get(name ?? '');
    if (at !== undefined) next[at] = { ...next[at]!, ...made(next[at]!) };
  };
  const [first, second] = event.cells;
  switch (event.kind) {
    case 'entered':
      change(first, (hex) => ({ creatures: hex.creatures - event.creatures }));
      change(second, (hex) => ({
        owner: event.seat,
        creatures: event.creatures,
        forged: event.forged,
        immobilised: 0,
        ...(event.how === 'sheltered' ? { state: 'protected', ticks: 0 } : { state: hex.state }),
      }));
      break;
    case 'repelled':
      change(first, () => ({ creatures: 1 }));
      break;
    case 'ticked':
      change(first, () => ({ ticks: event.ticks, state: event.ticks ? 'poisoned' : 'normal' }));
      break;
    case 'died':
      change(first, () => (event.left ? { creatures: event.left } : EMPTY));
      break;
    case 'absorbed':
      change(first, () => ({ state: 'normal' }));
      break;
    case 'used':
      if (event.power === 'poison') change(first, () => ({ state: 'poisoned', ticks: 3 }));
      if (event.power === 'forge') change(first, () => ({ forged: 2 }));
      if (event.power === 'immobilise') change(first, () => ({ immobilised: 2 }));
      break;
    case 'deported':
      change(first, () => EMPTY);
      break;
    case 'placed':
      change(first, (hex) => ({ creatures: hex.creatures + event.creatures }));
      break;
    case 'faded':
      change(first, () => ({ [event.state]: event.left }));
  }
  return next;
}
