// The match of the moment: one finished match after the other is shown move by move, the newest first; when there is
// nothing new, those again that were shown longest ago.

import type { Frame, Replayed } from '$lib/api/client';
import type { Result } from './contest.svelte';

const LONGEST = 60_000; // milliseconds for a match, about
const [QUICKEST, SLOWEST] = [180, 1000]; // for a frame
const FIRST = 1200; // the start is looked at,
const LAST = 5000; // and the end
const STILL = 9000; // for those who want nothing to move: the end alone
const NOTHING = 1000; // until it is looked again whether there is something

export const keyOf = ({ pairing, number }: Pick<Result, 'pairing' | 'number'>) => `${pairing}/${number}`;

/** What is shown next: the newest that was not; then the one that was shown longest ago. */
export function nextOf(results: readonly Result[], seen: readonly string[]): Result | null {
  const fresh = results.findLast((each) => !seen.includes(keyOf(each)));
  if (fresh) return fresh;
  const known = seen.map((key) => results.find((each) => keyOf(each) === key)).filter((each) => each !== undefined);
  return known[0] ?? null;
}

/** Milliseconds for each frame. */
export function stepOf(frames: number): number {
  return Math.max(QUICKEST, Math.min(SLOWEST, LONGEST / Math.max(1, frames - 1)));
}

export interface Booth {
  results: () => readonly Result[];
  load: (result: Result) => Promise<Replayed>;
  /** Shows how one frame became the next, in about so long. */
  tell: (before: Frame, after: Frame, ms: number) => Promise<void>;
  wait: (ms: number) => Promise<void>;
  /** Nothing shall move. */
  still: () => boolean;
}

export interface Film extends Replayed {
  result: Result;
}

export class Reel {
  film = $state.raw<Film | null>(null);
  at = $state(0);
  paused = $state(false);
  private seen: string[] = [];
  private going = true;

  constructor(private booth: Booth) {}

  stop(): void {
    this.going = false;
  }

  /** Until it is stopped. */
  async run(): Promise<void> {
    while (this.going) {
      const next = nextOf(this.booth.results(), this.seen);
      if (!next || !(await this.put(next))) await this.booth.wait(NOTHING);
      else await this.play();
    }
  }

  /** False if it cannot be shown: its record was not kept, or its rules are no longer these. */
  private async put(result: Result): Promise<boolean> {
    const key = keyOf(result);
    this.seen = [...this.seen.filter((each) => each !== key), key].slice(-50);
    if (this.film && keyOf(this.film.result) === key) {
      this.at = 0;
      return true;
    }
    try {
      const film = await this.booth.load(result);
      if (!this.going || film.total < 2) return false; // a program that never moved: there is nothing to see
      this.at = this.booth.still() ? film.frames.length - 1 : 0;
      this.film = { ...film, result };
      return true;
    } catch {
      return false;
    }
  }

  private async play(): Promise<void> {
    const frames = this.film!.frames;
    const step = stepOf(frames.length);
    if (this.booth.still()) {
      this.at = frames.length - 1;
      return this.rest(STILL);
    }
    await this.rest(FIRST);
    while (this.going && this.at + 1 < frames.length) {
      const [before, after] = [frames[this.at]!, frames[this.at + 1]!];
      if (after.n === before.n + 1 && after.story.length) await this.booth.tell(before, after, step);
      this.at++;
      await this.rest(step);
    }
    await this.rest(LAST);
  }

  private async rest(ms: number): Promise<void> {
    if (!this.going) return;
    await this.booth.wait(ms);
    while (this.going && this.paused) await this.booth.wait(100);
  }
}
