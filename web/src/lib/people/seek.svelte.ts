// Looking for an opponent: says again and again that somebody waits here, until one is found or they leave.

import { Problem } from '$lib/api/client';
import { hold } from '$lib/keep';
import { Alarm } from './alarm';
import { people, type NewSeek, type SeekShown } from './api';

const AGAIN = 2500; // the server counts on a word every ten seconds
const LOOK = 4000;

export class Seeking {
  /** What is looked for; null: nothing. */
  wanted = $state.raw<NewSeek | null>(null);
  since = $state(0);
  /** Elo by which an opponent may differ by now. */
  reach = $state(0);
  others = $state.raw<SeekShown[]>([]);
  problem = $state.raw<Problem | null>(null);
  private alarm = new Alarm(() => void this.turn());
  private closed = false;
  private turns = 0; // only the last one goes on: two that seek at once would find two opponents

  constructor(private found: (match: string) => void) {
    void this.turn();
  }

  begin(wanted: NewSeek): void {
    this.wanted = wanted;
    this.since = Date.now();
    this.problem = null;
    this.now();
  }

  stop(): void {
    if (!this.wanted) return;
    this.wanted = null;
    this.takeBack();
    this.now();
  }

  /** For good. Where a page goes, state reads as it was before what took it away: so only `closed`, which is none,
   * knows whether an opponent was found meanwhile. */
  close(): void {
    if (this.closed) return;
    this.end();
    if (this.wanted) this.takeBack();
  }

  private takeBack(): void {
    people.stopSeeking().catch(() => {}); // who is silent is forgotten anyway
  }

  private end(): void {
    this.closed = true;
    this.alarm.close();
  }

  private now(): void {
    if (!this.closed) void this.turn();
  }

  private async turn(): Promise<void> {
    const { wanted } = this;
    const turn = ++this.turns;
    try {
      if (wanted) await this.seek(wanted);
      else if (!document.hidden) this.others = await people.seeks();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!error.passing) this.wanted = null;
      this.problem = error.passing ? null : error;
    }
    if (this.closed || turn !== this.turns) return;
    this.alarm.set(this.wanted ? AGAIN : LOOK);
  }

  private async seek(wanted: NewSeek): Promise<void> {
    const { found, reach, seeks } = await people.seek(wanted);
    if (!found && (this.closed || !this.wanted)) return this.takeBack(); // this may have come there after that word
    if (!found && this.wanted !== wanted) return; // something else is looked for by now
    [this.reach, this.others] = [reach, seeks];
    if (!found) return;
    this.wanted = null;
    this.end();
    hold(found.match, found.game, [found.held]);
    this.found(found.match);
  }
}
