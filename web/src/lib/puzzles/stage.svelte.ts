// A board on which the server tells what comes of an action: scene after scene, as in a match; and back to the start.

import { tick } from 'svelte';
import type { components } from '$lib/api/schema';
import type { BoardHandle, StoryEvent } from '$lib/board/contract';
import { Telling } from '$lib/match/telling';
import { pace } from '$lib/settings.svelte';

export type Scene = components['schemas']['Scene'];

const BETWEEN = 450; // milliseconds between two actions

export class Stage {
  shown = $state.raw<unknown>(null);
  /** What was told since the start. */
  told = $state.raw<StoryEvent[]>([]);
  telling = $state.raw<Telling | null>(null);
  handle: BoardHandle | undefined;
  #run = 0;

  set(shown: unknown): void {
    this.#run++;
    this.telling?.skip();
    this.telling = null;
    this.shown = shown;
    this.told = [];
  }

  /** False if something else was put on the stage meanwhile. */
  async tell(scenes: readonly Scene[]): Promise<boolean> {
    const run = ++this.#run;
    for (const [n, scene] of scenes.entries()) {
      const telling = (this.telling = new Telling(pace, () => 0));
      if (n) await telling.wait(BETWEEN);
      if (run !== this.#run) return false;
      const story = scene.story as StoryEvent[];
      if (pace() && story.length) await this.handle?.tell?.(this.shown, scene.shown, story, telling);
      if (run !== this.#run) return false;
      this.shown = scene.shown;
      this.told = [...this.told, ...story];
      await tick();
    }
    this.telling = null;
    return run === this.#run;
  }

  skip(): void {
    this.telling?.skip();
  }
}
