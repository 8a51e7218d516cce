// A hint that was asked for: about one position, and gone with it.

import { untrack } from 'svelte';
import { api, wordsOf } from '$lib/api/client';
import type { Words } from '$lib/board/contract';
import type { MatchOnScreen } from './match.svelte';

export class Hinting {
  /** Without an action while an engine thinks; null: nobody asked. */
  given = $state.raw<{ action: string | null } | null>(null);

  constructor(
    private match: MatchOnScreen,
    private id: string,
    private tokens: () => string[],
    private fail: (why: Words | null) => void,
  ) {
    const position = $derived(match.now?.n);
    $effect(() => {
      void position;
      untrack(() => this.drop());
    });
  }

  drop(): void {
    this.given = null;
  }

  async ask(): Promise<void> {
    const { match } = this;
    if (match.seat === null || this.given?.action === null) return;
    const [asked, at] = [(this.given = { action: null }), match.now];
    this.fail(null);
    try {
      const found = await api.hint(this.id, this.tokens(), match.seat);
      if (this.given === asked) this.given = match.now === at ? found : null;
    } catch (error) {
      this.fail(wordsOf(error));
      this.drop();
    }
  }
}
