// What the player has in hand: shared by the board, the bar under it and the panel beside it, and forgotten as soon as
// something else may be done.

import type { PowerName } from './shown';

class Hand {
  /** The cell that was chosen first. */
  selected = $state<string | null>(null);
  /** The power that looks for its target. */
  power = $state<PowerName | null>(null);
  /** An action that waits for a yes. */
  asked = $state<string | null>(null);
  /** Cells that a line of the panel points at. */
  pointed = $state.raw<string[]>([]);

  drop(): void {
    this.selected = this.power = this.asked = null;
  }

  point(cells: string[]): void {
    this.pointed = this.pointed.join() === cells.join() ? [] : cells;
  }
}

export const hand = new Hand();
