// A hint that was asked for: about one position, and gone with it. It is thought out in the page where that can be, and
// otherwise by the server.

import { untrack } from 'svelte';
import { api, wordsOf } from '$lib/api/client';
import type { Words } from '$lib/board/contract';
import type { Thinker } from '$lib/engine/thinker';
import type { MatchOnScreen } from './match.svelte';

const TIME = 1000; // milliseconds

export class Hinting {
  /** Without an action while an engine thinks; null: nobody asked. */
  given = $state.raw<{ action: string | null } | null>(null);

  private thinker: Thinker | null = null;

  constructor(
    private match: MatchOnScreen,
    private id: string,
    private game: string,
    private tokens: () => string[],
    private fail: (why: Words | null) => void,
  ) {
    const position = $derived(match.now?.n);
    $effect(() => {
      void position;
      untrack(() => this.drop());
    });
    $effect(() => () => this.thinker?.close());
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
      const action = (await this.inPage(match.seat)) ?? (await api.hint(this.id, this.tokens(), match.seat)).action;
      if (this.given === asked) this.given = match.now === at ? { action } : null;
    } catch (error) {
      this.fail(wordsOf(error));
      this.drop();
    }
  }

  /** Null where this page cannot think. */
  private async inPage(seat: number): Promise<string | null> {
    const { NoEngine, Thinker, hasEngine } = await import('$lib/engine/thinker');
    if (!hasEngine(this.game)) return null;
    const { known, legal } = await api.outlook(this.id, this.tokens(), seat);
    try {
      this.thinker ??= new Thinker(this.game);
      const { action } = await this.thinker.think(known, TIME);
      return legal.find(({ number }) => number === String(action))?.action ?? null;
    } catch (error) {
      if (error instanceof NoEngine) return null;
      throw error;
    }
  }
}
