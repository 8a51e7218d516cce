// A move that is prepared while the other thinks: shown on the board, played as soon as it is one's turn, and dropped if
// it is not possible then. What may be prepared is what was possible in one's last turn: the rules are the server's.

import type { MatchOnScreen } from './match.svelte';

export class Premove {
  /** Somebody chooses one now. */
  choosing = $state(false);
  action = $state<string | null>(null);
  /** The last one was not possible any more. */
  dropped = $state(false);
  private before = $state.raw<string[]>([]);

  constructor(
    private match: MatchOnScreen,
    private open: () => boolean, // nothing is secret, and somebody else plays
    send: (action: string) => Promise<unknown>,
  ) {
    $effect(() => {
      if (match.legal.length) this.before = match.legal;
    });
    $effect(() => {
      if (match.seat === null) return;
      const { action } = this;
      this.choosing = false;
      this.action = null;
      if (action === null) return;
      const possible = match.legal.includes(action);
      this.dropped = !possible;
      if (possible) void send(action);
    });
  }

  /** The seat that may prepare something now. */
  get seat(): number | null {
    const { now, yours } = this.match;
    const waits = !!now && this.match.begun && !now.outcome && !this.match.telling && yours.length === 1;
    return waits && this.open() && !now.to_act.includes(yours[0]!) && this.before.length ? yours[0]! : null;
  }

  get legal(): string[] {
    return this.choosing && this.seat !== null ? this.before : [];
  }

  begin(): void {
    this.choosing = true;
    this.dropped = false;
    this.action = null;
  }

  prepare(action: string): void {
    this.action = action;
    this.choosing = false;
  }

  cancel(): void {
    this.choosing = false;
    this.action = null;
    this.dropped = false;
  }
}
