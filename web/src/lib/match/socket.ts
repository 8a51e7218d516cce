// The line to a table. It greets, keeps itself alive, comes back by itself, and plays an action exactly once: what was
// not acknowledged is sent again with the same id, even after the page was loaded anew, and the server knows ids that
// it
// has played.

import type { Words } from '$lib/board/contract';
import type { Question, ToClient, ToServer, Tried } from './wire';

/** `gone`: the server says that there is no such table; no use in trying again. */
export type LineState = 'connecting' | 'open' | 'lost' | 'gone';

export interface LineEvents {
  /** What to say first, each time the line opens. */
  greeting: () => ToServer[];
  heard: (word: ToClient) => void;
  changed: (state: LineState) => void;
}

/** Where a line ends; the browser's WebSocket is one. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** Where words wait that were not acknowledged; it lives as long as the browser's tab. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
const PING = 20_000;
const SILENCE = 45_000; // without a word: the line is dead though nobody said so
const NO_SUCH_TABLE = 4404;
const NOT_PLAYABLE = 4409; // it is there, but damaged or of other rules; a word before said why

type Pending = { word: ToServer; done: (refusal: Words | null) => void };

const fresh = () => crypto.randomUUID?.() ?? String(Math.random()).slice(2) + Date.now();

export class Line {
  state: LineState = 'connecting';
  private wire: Wire | null = null;
  private tries = 0;
  private pending = new Map<string, Pending>();
  private attempts = new Map<string, (answer: Tried | null) => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pinging: ReturnType<typeof setInterval> | undefined;
  private heardAt = 0;
  private closed = false;

  constructor(
    private address: string,
    private events: LineEvents,
    private dial: (address: string) => Wire = (to) => new WebSocket(to) as unknown as Wire,
    private shelf?: Shelf,
  ) {
    this.unpack();
    this.connect();
  }

  /** Null when it was accepted, which also means that it survives a crash; otherwise why not. */
  play(seat: number, action: string): Promise<Words | null> {
    const id = fresh();
    const word: ToServer = { type: 'play', id, seat, action };
    return new Promise((done) => {
      this.pending.set(id, { word, done });
      this.pack();
      this.say(word);
    });
  }

  /** What an action would do; null when that is not told, or the line is lost meanwhile. */
  attempt(seat: number, action: string): Promise<Tried | null> {
    if (this.state !== 'open') return Promise.resolve(null);
    const id = fresh();
    return new Promise((done) => {
      this.attempts.set(id, done);
      this.say({ type: 'try', id, seat, action });
    });
  }

  ask(seat: number, what: Question): void {
    this.say({ type: 'ask', seat, what });
  }

  tell(seat: number, phrase: NonNullable<Extract<ToServer, { type: 'say' }>['phrase']> | null, text: string): void {
    this.say({ type: 'say', seat, phrase, text });
  }

  look(seat: number, last: number | null = null): void {
    this.say({ type: 'look', seat, last });
  }

  /** Greets once more, on the same line: other eyes, a seat that was taken. */
  greet(): void {
    for (const word of this.events.greeting()) this.say(word);
  }

  get waiting(): number {
    return this.pending.size;
  }

  retry(): void {
    if (this.state !== 'lost') return;
    clearTimeout(this.timer);
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.pinging);
    this.wire?.close();
  }

  private connect(): void {
    const wire = this.dial(this.address);
    this.wire = wire;
    wire.onopen = () => {
      this.heardAt = Date.now();
      this.become('open');
      this.greet();
      for (const { word } of this.pending.values()) this.say(word);
      this.pinging = setInterval(() => this.ping(), PING);
    };
    wire.onmessage = ({ data }) => this.hear(JSON.parse(data) as ToClient);
    wire.onclose = ({ code }) => this.lose(code);
  }

  private pack(): void {
    const words = [...this.pending.values()].map(({ word }) => word);
    if (words.length) this.shelf?.setItem(`unsent ${this.address}`, JSON.stringify(words));
    else this.shelf?.removeItem(`unsent ${this.address}`);
  }

  /** What was under way when the page was left. */
  private unpack(): void {
    const words = JSON.parse(this.shelf?.getItem(`unsent ${this.address}`) ?? '[]') as ToServer[];
    for (const word of words) if (word.type === 'play') this.pending.set(word.id, { word, done: () => {} });
  }

  private ping(): void {
    if (Date.now() - this.heardAt > SILENCE) this.wire?.close();
    else this.say({ type: 'ping' });
  }

  private lose(code: number): void {
    clearInterval(this.pinging);
    this.wire = null;
    for (const done of this.attempts.values()) done(null);
    this.attempts.clear();
    if (this.closed) return;
    if (code === NO_SUCH_TABLE || code === NOT_PLAYABLE) return this.become('gone');
    this.become('lost');
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries++);
    this.timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  private hear(word: ToClient): void {
    this.heardAt = Date.now();
    if (word.type !== 'refused') this.tries = 0; // a server with too much to do lets one in only to say so
    if (word.type === 'accepted' || (word.type === 'refused' && word.id && this.pending.has(word.id))) {
      const id = word.id as string;
      this.pending.get(id)?.done(word.type === 'accepted' ? null : word.words);
      this.pending.delete(id);
      this.pack();
    } else if (word.type === 'tried' || (word.type === 'refused' && word.id && this.attempts.has(word.id))) {
      this.attempts.get(word.id as string)?.(word.type === 'tried' ? word : null);
      this.attempts.delete(word.id as string);
    } else {
      this.events.heard(word);
    }
  }

  private say(word: ToServer): void {
    if (this.state === 'open') this.wire?.send(JSON.stringify(word));
  }

  private become(state: LineState): void {
    this.state = state;
    this.events.changed(state);
  }
}
