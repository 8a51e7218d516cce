// The page's side of the house: a venue (lib/venue.ts) whose matches are in a worker. Python rules, keeps and tells; where
// a computer is to think, the engine of the game does it in a worker of its own, so neither holds up the other or the page.

import { Thinker, bring } from '$lib/engine/thinker';
import type { Wire } from '$lib/match/socket';
import type { Venue } from '$lib/venue';
import { leave, sit } from './holding.svelte';
import { keepAll } from './keeping';
import { drop, heed, kept, put, read } from './shelf';
import type { FromHouse, Job, ToHouse } from './talk';

bring(
  import.meta.glob<string>('../../../build/engines_with_secrets/*.wasm', { query: '?url', import: 'default' }),
  import.meta.glob<string>('../../../build/engines_with_secrets/*.json', { query: '?url', import: 'default' }),
);

const NO_TABLE = 4404;
const LOST = 1006;
const SETTLED = 3000; // milliseconds after the first board

class Line implements Wire {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(
    private house: House,
    readonly number: number,
    readonly id: string,
  ) {}

  send(text: string): void {
    this.house.say({ kind: 'say', line: this.number, text });
  }

  close(): void {
    this.house.hangUp(this.number);
    this.onclose?.({ code: 1000 });
  }
}

export class House implements Venue {
  private worker: Worker | null = null;
  private asked = new Map<number, { done: (answer: Response) => void; fail: (why: Error) => void }>();
  private lines = new Map<number, Line>();
  private forgotten = new Set<string>();
  private thinkers = new Map<string, { thinker: Thinker; last: Promise<unknown> }>();
  private number = 0;
  private gathers = false;
  private games: Promise<string> | undefined;

  constructor() {
    heed((id, text) => this.learn(id, text));
  }

  readonly prepare = (): void => void this.begun();

  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.slice(pathname.indexOf('/api/'));
    if (path === '/api/games') return answered(200, await this.shown());
    const body = request.method === 'GET' ? '' : await request.text();
    const n = ++this.number;
    const query = JSON.stringify(Object.fromEntries(searchParams));
    return new Promise((done, fail) => {
      this.asked.set(n, { done, fail });
      this.say({ kind: 'ask', n, method: request.method, path, query, body });
    });
  };

  readonly dial = (address: string): Wire => {
    const line = new Line(this, ++this.number, address.slice(address.lastIndexOf('/') + 1));
    this.lines.set(line.number, line);
    void this.seat(line);
    return line;
  };

  /** As soon as no other page of this browser sits there; what that one has played is read then. */
  private async seat({ number, id }: Line): Promise<void> {
    const first = await sit(id);
    if (!this.lines.has(number)) return;
    const text = first ? read(id) : null;
    if (text !== null) this.say({ kind: 'learn', id, text });
    this.say({ kind: 'sit', line: number, id });
  }

  hangUp(number: number): void {
    const line = this.lines.get(number);
    if (!line) return;
    this.lines.delete(number);
    this.say({ kind: 'leave', line: number });
    leave(line.id);
  }

  /** Somebody wants a match no more; what its computers still think is not kept either. */
  forget(id: string): void {
    drop(id);
    this.learn(id, null);
  }

  private learn(id: string, text: string | null): void {
    const mine = [...this.lines.values()].filter((line) => line.id === id);
    if (text === null) {
      this.forgotten.add(id);
      for (const line of mine) this.lose(line, NO_TABLE);
    } else if (mine.length) return; // this page will read it when it sits down
    if (this.worker) this.say({ kind: 'learn', id, text });
  }

  private lose(line: Line, code: number): void {
    this.lines.delete(line.number);
    leave(line.id);
    line.onclose?.({ code });
  }

  say(word: ToHouse): void {
    this.begun().postMessage(word);
  }

  /** What the games are like was written down when the site was built: nobody waits for Python to see a form. */
  private shown(): Promise<string> {
    const found = (this.games ??= fetch(new URL('games.json', document.baseURI)).then((file) => file.text()));
    found.catch(() => (this.games = undefined));
    return found;
  }

  private begun(): Worker {
    if (this.worker) return this.worker;
    const worker = (this.worker = new Worker(new URL('./house.worker.ts', import.meta.url), { type: 'module' }));
    worker.onmessage = ({ data }: MessageEvent<FromHouse>) => this.hear(data);
    worker.onerror = () => this.fall('worker');
    worker.postMessage({ kind: 'begin', kept: kept() } satisfies ToHouse);
    return worker;
  }

  private hear(word: FromHouse): void {
    if (word.kind === 'answer') {
      this.asked.get(word.n)?.done(answered(word.status, word.text));
      this.asked.delete(word.n);
    } else if (word.kind === 'sat') {
      const line = this.lines.get(word.line);
      if (word.well) return line?.onopen?.();
      if (line) this.lose(line, NO_TABLE);
    } else if (word.kind === 'heard') {
      this.lines.get(word.line)?.onmessage?.({ data: word.text });
      this.gather();
    } else if (word.kind === 'keep') {
      if (!this.forgotten.has(word.id)) put(word.id, word.text);
    } else if (word.kind === 'think') void this.think(word.n, word.job);
    else this.fall(word.why);
  }

  /** Somebody plays: what that takes is kept for when there is no network, once the board is there. */
  private gather(): void {
    if (this.gathers) return;
    this.gathers = true;
    setTimeout(() => keepAll().catch(() => (this.gathers = false)), SETTLED);
  }

  /** One thought of a game after the other. */
  private async think(n: number, job: Job): Promise<void> {
    const { worker } = this; // the one that asked
    const { game, sources, view, seat, ...task } = job;
    const mind = this.thinkers.get(game) ?? { thinker: new Thinker(game), last: Promise.resolve() };
    this.thinkers.set(game, mind);
    const chosen = mind.last.then(() => mind.thinker.choose({ sources, view, seat }, task));
    mind.last = chosen.catch(() => {});
    try {
      const { action, chance } = await chosen;
      if (this.worker === worker) this.say({ kind: 'thought', n, action: String(action), chance });
    } catch (error) {
      if (this.worker === worker) this.fall(String(error)); // its file did not come, perhaps: the line is lost, and tries again
    }
  }

  /** Something went wrong in the worker: it begins anew with what is kept, as after a reload. */
  private fall(why: string): void {
    console.error(why);
    this.worker?.terminate();
    this.worker = null;
    for (const { fail } of this.asked.values()) fail(new Error(why));
    this.asked.clear();
    for (const line of [...this.lines.values()]) this.lose(line, LOST);
  }
}

export const house = new House();

function answered(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'application/json' } });
}
