// The matches that a pupil's program has played in a contest, the newest first, and the way to their replays.

import { api, wordsOf } from '$lib/api/client';
import type { Words } from '$lib/board/contract';
import type { Result } from '$lib/contest/contest.svelte';
import { go } from '$lib/router.svelte';

const MOST = 100;

export class MyResults {
  list = $state.raw<Result[]>([]);
  problem = $state.raw<Words | null>(null);

  constructor(
    private contest: string,
    private name: string,
  ) {}

  /** The last one that it left before the end. */
  get troubled(): Result | null {
    return this.list.find((result) => result.troubles[this.seat(result)]) ?? null;
  }

  seat({ players }: Result): number {
    return players.indexOf(this.name);
  }

  how(result: Result): 'won' | 'drawn' | 'lost' {
    if (result.ranks[this.seat(result)] !== 1) return 'lost';
    return result.ranks.filter((rank) => rank === 1).length > 1 ? 'drawn' : 'won';
  }

  async load(): Promise<void> {
    try {
      this.list = await api.contestResults(this.contest, this.name, MOST);
    } catch (error) {
      this.problem = wordsOf(error);
    }
  }

  async watch({ pairing, number }: Result): Promise<void> {
    this.problem = null;
    try {
      go(`/replay/${(await api.openContestMatch(this.contest, pairing, number)).id}`);
    } catch (error) {
      this.problem = wordsOf(error);
    }
  }
}
