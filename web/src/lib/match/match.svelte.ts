// One match on one screen: what is seen, what may be done, what happened. Updates wait in a queue until the board has
// told the one before. Under fog on a shared computer nothing of a seat is kept once the screen is handed over.

import { tick } from 'svelte';
import { PUBLIC, type Attempt, type BoardHandle, type StoryEvent, type Words } from '$lib/board/contract';
import { pace } from '$lib/settings.svelte';
import { patched } from './changes';
import { Line, type LineState, type Shelf, type Wire } from './socket';
import { Telling } from './telling';
import type { Phrase } from './phrases';
import type { Changed, Question, Refused, Said, Thinking, ToClient, Update, Welcome } from './wire';

/** A thing that was told, with the position after it, so that one can look back. */
export interface Told {
  /** What was told together has the same number; 0 before the page was opened. */
  n: number;
  event: StoryEvent;
  /** Null where it was told before the page was opened. */
  shown: unknown;
}

export interface MatchOptions {
  address: string;
  tokens: () => string[];
  /** Watch through this seat's eyes (only where no person plays); null: of whoever acts. */
  eye?: number | null;
  /** Does the page draw the generic picture? */
  picture?: boolean;
  dial?: (address: string) => Wire;
  shelf?: Shelf;
}

const MOST_TOLD = 600;
const MOST_REMARKS = 50;
const DECISIVE = 1200; // milliseconds

export class MatchOnScreen {
  line = $state<LineState>('connecting');
  welcome = $state.raw<Welcome | null>(null);
  /** What the board shows. */
  now = $state.raw<Update | null>(null);
  /** When it came, for clocks. */
  cameAt = $state(0);
  told = $state.raw<Told[]>([]);
  telling = $state.raw<Telling | null>(null);
  /** The match has just been decided: one sees how, before one reads it. */
  lingering = $state.raw<Telling | null>(null);
  thinking = $state.raw<Record<number, Thinking>>({});
  /** Computers whose thought has not begun, for others are before it. */
  queued = $state.raw<ReadonlySet<number>>(new Set());
  refusal = $state.raw<Refused | null>(null);
  /** The seat that has the screen, on a shared computer under fog; null while it is handed over. */
  looker = $state<number | null>(null);
  /** What the seat that takes the screen missed; to be read before the turn. */
  recap = $state.raw<StoryEvent[] | null>(null);
  /** What the latest word from the server took back. */
  takenBack = $state.raw<StoryEvent[]>([]);
  unacknowledged = $state(0);
  /** What was said at the table since one came, the last ones. */
  remarks = $state.raw<(Said & { n: number })[]>([]);
  board: BoardHandle | undefined;
  eye = $state<number | null>(null);

  private queue: Update[] = [];
  private received: Update | null = null; // the latest, to which what changed is put
  private receivedAt = 0;
  private pumping = false;
  private screen = 0; // counts who had it: what was told to one is not settled for another
  private connection: Line;

  constructor(private options: MatchOptions) {
    this.eye = options.eye ?? null;
    const events = {
      greeting: () => this.greeting(),
      heard: (word: ToClient) => this.hear(word),
      changed: (to: LineState) => (this.line = to),
    };
    this.connection = new Line(options.address, events, options.dial, options.shelf);
    this.unacknowledged = this.connection.waiting;
  }

  // -- what is known ---------------------------------------------------------------------------------------------

  get yours(): readonly number[] {
    return this.welcome?.yours ?? [];
  }

  /** Several seats of a fog game on one screen: it is handed over between turns. */
  get shared(): boolean {
    return (this.welcome?.fog ?? false) && this.yours.length > 1;
  }

  /** Has everybody come who is to play? No clock runs before. */
  get begun(): boolean {
    return !this.now?.seats.some(({ kind }) => kind === 'open' || kind === 'awaited');
  }

  /** The seat that may act on this screen now. */
  get seat(): number | null {
    const now = this.now;
    if (!now || !this.begun || this.telling || now.outcome || this.recap || !now.to_act.includes(now.observer)) return null;
    return this.yours.includes(now.observer) ? now.observer : null;
  }

  get legal(): string[] {
    return this.seat === null ? [] : (this.now?.legal as string[]);
  }

  /** Whom the screen waits for: its next holder. Null when nobody on this computer has to do anything. */
  get next(): number | null {
    return this.now?.to_act.find((seat) => this.yours.includes(seat)) ?? null;
  }

  /** The screen shows nothing but a name until that person takes it. */
  get handover(): boolean {
    return this.shared && this.looker === null && !this.now?.outcome;
  }

  /** The one who has the shared screen is done, and somebody else on this computer is not. */
  get done(): boolean {
    return (
      this.shared &&
      this.looker !== null &&
      !this.now?.outcome &&
      !this.now?.to_act.includes(this.looker) &&
      this.next !== null
    );
  }

  // -- what one does ---------------------------------------------------------------------------------------------

  async play(action: string): Promise<Words | null> {
    if (this.seat === null) return { fr: 'Ce n’est pas à vous de jouer.', en: 'It is not your turn.' };
    this.unacknowledged++;
    const refusal = await this.connection.play(this.seat, action);
    this.unacknowledged = this.connection.waiting;
    return refusal;
  }

  /** What an action would do, without playing it; null where that is not told. */
  async attempt(action: string): Promise<Attempt | null> {
    return this.seat === null ? null : ((await this.connection.attempt(this.seat, action)) as Attempt | null);
  }

  ask(what: Question, seat = this.seat ?? this.yours[0]): void {
    this.refusal = null;
    if (seat !== undefined) this.connection.ask(seat, what);
  }

  /** To the others at the table. */
  say(seat: number, phrase: Phrase | null, text = ''): void {
    this.refusal = null;
    this.connection.tell(seat, phrase, text);
  }

  /** Somebody takes the shared screen. */
  take(seat: number): void {
    this.clear();
    this.looker = seat;
    this.connection.look(seat);
  }

  /** One's turn is over: the next person must see nothing of it. */
  pass(): void {
    this.clear();
    this.connection.look(PUBLIC);
  }

  watchThrough(seat: number | null): void {
    this.clear();
    this.eye = seat;
    this.connection.greet();
  }

  skip(): void {
    this.telling?.skip();
    this.lingering?.skip();
  }

  retry(): void {
    this.connection.retry();
  }

  close(): void {
    this.connection.close();
    this.skip();
  }

  // -- what the server says --------------------------------------------------------------------------------------

  private greeting() {
    const hello = {
      type: 'hello' as const,
      tokens: this.options.tokens(),
      eye: this.eye,
      board: this.options.picture ?? false,
      last: this.now?.n ?? 0,
    };
    const looks = this.looker === null ? [] : [{ type: 'look' as const, seat: this.looker, last: this.now?.n ?? 0 }];
    return [hello, ...looks];
  }

  private hear(word: ToClient): void {
    if (word.type === 'welcome') {
      this.welcome = word;
      this.queued = new Set(); // who still waits is told anew
      if (this.shared && this.looker === null) this.connection.look(PUBLIC); // whose turn it is, and no more
    } else if (word.type === 'update') {
      this.receive(word);
    } else if (word.type === 'changed') {
      this.change(word);
    } else if (word.type === 'thinking') {
      this.thinking = { ...this.thinking, [word.seat]: word };
    } else if (word.type === 'waiting') {
      this.queued = new Set([...this.queued].filter((seat) => seat !== word.seat).concat(word.waits ? word.seat : []));
    } else if (word.type === 'said') {
      this.remarks = [...this.remarks, { ...word, n: (this.remarks.at(-1)?.n ?? 0) + 1 }].slice(-MOST_REMARKS);
    } else if (word.type === 'refused') {
      this.refusal = word;
    }
  }

  private change(word: Changed): void {
    const last = this.received;
    if (!last || last.observer !== word.observer) return; // of who had the screen before: an update is on its way
    if (last.n + 1 === word.n) this.receive(patched(last, word, Date.now() - this.receivedAt));
    else this.connection.greet(); // something was missed: all of it again
  }

  private receive(update: Update): void {
    [this.received, this.receivedAt] = [update, Date.now()];
    this.queue.push(update);
    this.telling?.hurry();
    void this.pump();
  }

  private async pump(): Promise<void> {
    if (this.pumping) return;
    this.pumping = true;
    for (let update = this.queue.shift(); update; update = this.queue.shift()) {
      const { screen } = this;
      if (this.shared && update.observer !== (this.looker ?? PUBLIC) && !update.outcome) continue; // of who had the screen before
      if (this.shared && update.recap && update.story.some(({ line }) => line !== 'never')) this.recap = update.story;
      else await this.tell(update);
      this.telling = null;
      const decided = update.outcome && this.now && !this.now.outcome;
      if (decided) this.lingering = new Telling(() => pace() || 1, () => 0); // to wait is no motion
      if (screen === this.screen) this.settle(update);
      await tick(); // the board has this position before the next story starts from it
      await this.lingering?.wait(DECISIVE);
      this.lingering = null;
    }
    this.pumping = false;
  }

  private async tell(update: Update): Promise<void> {
    const before = this.now;
    if (!before || update.retold || !update.story.length || !this.board?.tell) return;
    if (this.welcome?.fog && before.observer !== update.observer) return; // other eyes: nothing moved, they saw other things
    if (pace() === 0) return this.board.remember?.(before.shown, update.shown, update.story);
    this.telling = new Telling(pace, () => this.queue.length);
    this.telling.hurry();
    try {
      await this.board.tell(before.shown, update.shown, update.story, this.telling);
    } catch (error) {
      console.error(error); // a drawing that fails must not stop the match
    }
  }

  private settle(update: Update): void {
    const came = !this.now; // then the story is all that went before
    // a board knows that a story is over by another position being shown, be it one that looks the same
    const same = update.story.length > 0 && update.shown !== null && update.shown === this.now?.shown;
    this.now = same ? { ...update, shown: { ...(update.shown as object) } } : update;
    this.cameAt = Date.now();
    if (update.outcome) this.thinking = {};
    if (update.story.length && this.looker === null && this.shared && !update.outcome) return;
    this.takenBack = [];
    if (update.retold) return this.retell(update.story);
    const batch = came ? 0 : (this.told.at(-1)?.n ?? 0) + 1;
    const news = update.story.map((event) => ({ n: batch, event, shown: came ? null : update.shown }));
    if (news.length) this.told = [...this.told, ...news].slice(-MOST_TOLD);
  }

  /** The whole story anew: lines that still stand keep their positions. */
  private retell(story: StoryEvent[]): void {
    const changed = story.findIndex((event, at) => JSON.stringify(event) !== JSON.stringify(this.told[at]?.event));
    const kept = this.told.slice(0, changed < 0 ? story.length : changed);
    const anew = story.slice(kept.length).map((event) => ({ n: kept.at(-1)?.n ?? 0, event, shown: null }));
    this.takenBack = anew.length ? [] : this.told.slice(kept.length).map(({ event }) => event);
    this.told = [...kept, ...anew].slice(-MOST_TOLD);
  }

  private clear(): void {
    const { welcome } = this;
    this.screen++;
    this.queue = [];
    this.received = null;
    this.telling?.skip();
    this.told = [];
    this.recap = null;
    this.thinking = {};
    this.looker = null;
    if (welcome?.fog)
      this.now = this.now && { ...this.now, shown: null, story: [], legal: [], board: null, observer: PUBLIC };
  }
}
