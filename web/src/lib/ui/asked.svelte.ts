// A page of the server that is asked for again and again while somebody looks at it. What was known stays when the
// server is away for a while, and `away` says so; it comes back by itself.

import { Problem, wordsOf } from '$lib/api/client';
import type { Words } from '$lib/board/contract';

export class Asked<T> {
  page = $state.raw<T | null>(null);
  /** Why there is no page, or no new one. */
  problem = $state.raw<Problem | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #newest = 0;
  #slept = 0; // milliseconds since it was asked
  #over = false;

  /** `inBackground`: how often while nobody sees the page; never, if it is left out. */
  constructor(
    private ask: () => Promise<T>,
    private every: number,
    private inBackground = Infinity,
  ) {
    void this.refresh();
  }

  get away(): boolean {
    return this.problem?.passing ?? false;
  }

  /** It is no use to ask again: the server has answered no. */
  get refused(): Problem | null {
    return this.away ? null : this.problem;
  }

  /** Asks now; of two answers the one that was asked for last counts. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#slept = 0;
    const mine = ++this.#newest;
    try {
      const page = await this.ask();
      if (mine === this.#newest) this.show(page);
    } catch (error) {
      if (mine === this.#newest) this.problem = error instanceof Problem ? error : new Problem('away', wordsOf(error));
    }
    if (mine === this.#newest && !this.#over && !this.refused) this.#timer = setTimeout(() => this.#again(), this.every);
  }

  /** An answer that came another way. */
  show(page: T): void {
    this.page = page;
    this.problem = null;
  }

  /** Does something and shows what became of it: its answer, or what is asked for anew. Null, or why it was refused. */
  async after(work: () => Promise<T | void>): Promise<Words | null> {
    this.#newest++; // an answer that is on its way does not know of it yet
    try {
      const page = await work();
      if (page) this.show(page);
      return null;
    } catch (error) {
      return wordsOf(error);
    } finally {
      await this.refresh();
    }
  }

  close(): void {
    this.#over = true;
    this.#newest++;
    clearTimeout(this.#timer);
  }

  #again(): void {
    this.#slept += this.every;
    if (document.hidden && this.#slept < this.inBackground) this.#timer = setTimeout(() => this.#again(), this.every);
    else void this.refresh();
  }
}
