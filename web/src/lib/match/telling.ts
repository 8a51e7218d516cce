// How much motion there is: it can be skipped, and it hurries when more waits to be told.

import type { Motion } from '$lib/board/contract';

/** Is it about how the story is told? Other clicks on a board skip it. */
export function isPlayback(event: Event): boolean {
  return event.target instanceof Element && event.target.closest('[data-playback]') !== null;
}

const CROWD = 4; // so many updates that wait are told at once

export class Telling implements Motion {
  skipped = false;
  private wakes = new Set<() => void>();

  constructor(
    private pace: () => number,
    private queued: () => number,
  ) {}

  get scale(): number {
    return this.queued() > 0 ? this.pace() / 2 : this.pace();
  }

  wait(ms: number): Promise<void> {
    if (this.skipped || this.scale === 0) return Promise.resolve();
    return new Promise((done) => {
      const wake = () => {
        clearTimeout(timer);
        this.wakes.delete(wake);
        done();
      };
      const timer = setTimeout(wake, ms * this.scale);
      this.wakes.add(wake);
    });
  }

  /** Another update came: with too many of them waiting, this one ends now. */
  hurry(): void {
    if (this.queued() >= CROWD) this.skip();
  }

  skip(): void {
    this.skipped = true;
    for (const wake of [...this.wakes]) wake();
  }
}
