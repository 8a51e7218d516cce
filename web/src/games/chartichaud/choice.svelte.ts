// What is selected: the board writes it, the panel beside it reads it.

import type { Kind } from './shown';

interface Choice {
  cell: string | null;
  kind: Kind;
  /** How many of that kind go together. */
  many: number;
}

export const choice = $state<Choice>({ cell: null, kind: 'civilian', many: 1 });
