// Where a replay stands, and where it is going. Every press moves the goal, whatever is being fetched or told at that
// moment, so none is lost: five presses are five moves. Of several steps the last one is told.

import { tick } from 'svelte';

export interface Reel {
  /** The number of the last frame. */
  last: () => number;
  /** Fetches a frame, and what is needed to show it. */
  need: (n: number) => Promise<void>;
  /** Tells how the frame before this one became it. */
  tell: (n: number) => Promise<void>;
  /** Ends what is being told. */
  skip: () => void;
}

export class Playhead {
  /** The frame that is shown. */
  at = $state(0);
  /** Where the presses lead. */
  goal = $state(0);
  private steps = false; // forward, move by move: the last is told
  private running = false;
  private going = Promise.resolve();

  constructor(private reel: Reel) {}

  forward = (): Promise<void> => this.head(this.goal + 1, true);
  back = (): Promise<void> => this.head(this.goal - 1, false);
  go = (to: number): Promise<void> => this.head(to, false);

  /** Resolves when it has arrived; rejects if a frame cannot be had, and stays where it is. */
  private head(to: number, steps: boolean): Promise<void> {
    this.goal = Math.max(0, Math.min(this.reel.last(), to));
    this.steps = steps;
    this.reel.skip();
    if (!this.running) this.going = this.travel();
    return this.going;
  }

  private async travel(): Promise<void> {
    this.running = true;
    try {
      while (this.at !== this.goal) {
        const { goal, at } = this;
        const next = this.steps && goal > at + 1 ? goal - 1 : goal;
        await this.reel.need(next);
        if (this.goal !== goal) continue;
        if (this.steps && next === at + 1) await this.reel.tell(next);
        this.at = next; // also if it was cut short: what was told is shown
        await tick();
      }
    } catch (error) {
      this.goal = this.at;
      throw error;
    } finally {
      this.running = false;
    }
  }
}
