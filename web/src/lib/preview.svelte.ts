// What a start looks like, asked of the server while somebody is still choosing: not at every keystroke but after a
// pause, and an answer that nobody waits for any more is called off.

import { api, Problem, wordsOf, type Start } from '$lib/api/client';
import type { Words } from '$lib/board/contract';
import type { Look } from '$lib/ui/Miniature.svelte';

/** Something that cannot be taken, and the field of the form that it is about. */
export interface Fault {
  field: string;
  words: Words;
}

export function faultOf(error: unknown): Fault {
  return { field: error instanceof Problem ? error.field : '', words: wordsOf(error) };
}

const PAUSE = 300; // milliseconds after the last change

export class Preview {
  look = $state.raw<Look | null>(null);
  fault = $state.raw<Fault | null>(null);
  #wish: Start | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;
  #answer: Promise<void> = Promise.resolve();

  constructor(readonly game: string) {}

  /** This start is what is wanted now; the first one is asked for at once. */
  want(start: Start): void {
    const first = this.#wish === null;
    this.#wish = start;
    this.stop();
    if (first) this.#ask();
    else this.#timer = setTimeout(() => this.#ask(), PAUSE);
  }

  /** Answers when what is shown is what is wanted. */
  async settled(): Promise<void> {
    if (this.#timer !== undefined) this.#ask();
    await this.#answer;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#asking?.abort();
  }

  #ask(): void {
    this.stop();
    const asking = (this.#asking = new AbortController());
    this.#answer = api.preview(this.game, this.#wish!, asking.signal).then(
      (seen) => {
        if (!asking.signal.aborted) [this.look, this.fault] = [seen, null];
      },
      (error) => {
        if (!asking.signal.aborted) this.fault = faultOf(error);
      },
    );
  }
}
