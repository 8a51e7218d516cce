// The last turn that was resolved, told scene by scene: it plays by itself while the shell waits, and can be halted,
// stepped through and seen again until the next one. Who halts it keeps looking while the match goes on.

import type { Motion } from '$lib/board/contract';
import { Interim } from '$lib/board/interim.svelte';
import { Telling } from '$lib/match/telling';
import { pace } from '$lib/settings.svelte';
import type { Shown, Told } from './shown';
import { isResolved, scenesOf, type Picture, type Scene } from './story';

export class Stage {
  scenes = $state.raw<Scene[]>([]);
  /** The turn that they tell. */
  turn = $state(0);
  /** Which scene. */
  at = $state(0);
  playing = $state(false);
  pace = $state(1);
  private interim = new Interim<Picture>();
  /** Somebody looks at it at leisure; the shell waits for nothing. */
  looked = $state(false);
  private key = $state('');
  private after: Shown | null = null;
  private run = 0; // counts who moves the pictures
  private halt = () => {};

  /** What to draw instead of `shown`, if the story of it is being told or looked at. */
  over(shown: Shown, observer: number): Picture | null {
    return this.interim.at(shown) ?? (this.looked && this.isOf(shown, observer) ? this.interim.drawn : null);
  }

  /** Is there something to see again? */
  isOf(shown: Shown, observer: number): boolean {
    return this.scenes.length > 0 && this.key === keyOf(shown, observer);
  }

  /** The shapes noticed in the last turn, if `shown` is what came after it. */
  ghosts(shown: Shown, observer: number): string[] {
    return this.isOf(shown, observer) ? (this.scenes.at(-1)?.pictures.at(-1)?.ghosts ?? []) : [];
  }

  /** Without telling it. */
  remember(before: Shown, after: Shown, story: Told[], observer: number, wide: boolean): void {
    if (!isResolved(story) || after === this.after) return;
    this.after = after;
    this.close();
    this.key = keyOf(after, observer);
    this.turn = before.turn + 1;
    this.scenes = scenesOf(before, after, story, observer, wide);
    this.at = 0;
  }

  /** To the end: true. False if somebody halted it to look around. */
  async tell(
    before: Shown,
    after: Shown,
    story: Told[],
    observer: number,
    wide: boolean,
    motion: Motion,
  ): Promise<boolean> {
    if (!isResolved(story)) return true;
    this.remember(before, after, story, observer, wide);
    this.close(); // it may be told a second time
    this.interim.begin(before, this.scenes.at(-1)!.pictures.at(-1)!);
    if (motion.scale === 0) return true;
    return this.play(steady(motion), this.scenes.length - 1);
  }

  // -- at leisure --------------------------------------------------------------------------------------------------

  /** From the beginning, or on from where it was halted. */
  async go(from = this.at): Promise<void> {
    this.looked = true;
    this.at = from;
    if (await this.play(leisure(), this.scenes.length - 1)) this.close();
  }

  pause(): void {
    this.looked = true;
    this.stop();
  }

  /** One scene on, or one back. */
  step(by: 1 | -1): void {
    const to = this.at + by;
    if (to < 0 || to >= this.scenes.length) return;
    this.looked = true;
    this.at = to;
    if (by > 0 && pace() > 0) void this.play(leisure(), to);
    else {
      this.stop();
      this.interim.drawn = this.scenes[to]!.pictures.at(-1)!;
    }
  }

  /** Back to the match; while the shell waits, to the end of the story. */
  leave(): void {
    if (this.looked) this.close();
    else this.halt();
  }

  close(): void {
    this.stop();
    this.looked = false;
    this.at = 0;
  }

  private stop(): void {
    this.run++;
    this.playing = false;
    this.halt();
  }

  /** The pictures of the scenes up to `last`; false if somebody else moves them now. */
  private async play(motion: Motion, last: number): Promise<boolean> {
    this.stop();
    const { run } = this;
    const halted = new Promise<void>((halt) => (this.halt = halt));
    this.playing = true;
    this.pace = pace() && motion.scale;
    for (;;) {
      for (const picture of this.scenes[this.at]!.pictures) {
        this.interim.drawn = picture;
        if (!motion.skipped) await Promise.race([motion.wait(picture.ms), halted]);
        if (run !== this.run) return false;
      }
      if (this.at >= last) break;
      this.at++;
    }
    this.playing = false;
    return true;
  }
}

/** Orders that others give meanwhile do not hurry it. */
function steady(motion: Motion): Motion {
  let slowest = motion.scale;
  return {
    get scale() {
      return motion.scale;
    },
    get skipped() {
      return motion.skipped;
    },
    wait: (ms) => {
      slowest = Math.max(slowest, motion.scale);
      return motion.wait(motion.scale ? (ms * slowest) / motion.scale : 0);
    },
  };
}

const leisure = () =>
  new Telling(
    () => pace() || 1,
    () => 0,
  );

function keyOf({ turn, phase }: Shown, observer: number): string {
  return `${observer}/${turn}.${phase}`;
}
