// The log of the match on the screen: whether there is one, whether it is in front, and what was wrong with a file.

import { wordsOf } from '$lib/api/client';
import type { Words } from '$lib/board/contract';
import { go } from '$lib/router.svelte';
import { readLog, type Log } from './log';
import { attach, bring, contents, pair } from './open';
import { dropLog, recallLog } from './shelf';

export class Recorder {
  log = $state.raw<Log | null>(null);
  /** It stands beside the board, in the place of the panel. */
  front = $state(false);
  problem = $state.raw<Words | null>(null);
  match = '';
  /** Lets one choose a file; the page that has the field sets it. */
  choose: () => void = () => {};

  /** A log that was opened earlier is there again. */
  async recall(match: string): Promise<void> {
    this.match = match;
    const text = await recallLog(match);
    if (text !== null) await this.#attempt(async () => this.#show(readLog(text)));
  }

  /** A log for this match; or a record, which is gone to. */
  async take(files: Iterable<File>): Promise<void> {
    await this.#attempt(async () => {
      const opened = await contents(files);
      const { record, log } = pair(opened);
      if (record) return go(`/replay/${await bring(opened)}`);
      if (!log) return;
      await attach(this.match, log);
      this.#show(readLog(log.text));
    });
  }

  /** It is gone when it looks gone: whoever reloads at once does not find it again. */
  async drop(): Promise<void> {
    await dropLog(this.match);
    [this.log, this.front] = [null, false];
  }

  #show(log: Log): void {
    [this.log, this.front] = [log, true];
  }

  async #attempt(work: () => Promise<void> | void): Promise<void> {
    this.problem = null;
    try {
      await work();
    } catch (error) {
      this.problem = wordsOf(error);
    }
  }
}
