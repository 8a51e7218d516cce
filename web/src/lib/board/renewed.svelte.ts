// What a board does before it draws something new: a position, another turn, other eyes.

import { untrack } from 'svelte';

/** Whenever `what` says something else, and at first. What `then` reads is nobody's business. */
export function renewed(what: () => unknown, then: () => void): void {
  const now = $derived(what());
  $effect.pre(() => {
    void now;
    untrack(then);
  });
}
