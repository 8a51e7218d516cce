// A first turn on the small map "duel", then the other side's: 7 × 7, three civilians each, 25 gold.

import type { Tutorial } from '$lib/board/contract';

export const tutorial: Tutorial = {
  setup: 'duel',
  steps: [],
};
