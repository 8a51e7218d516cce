// The engine of a game, from the page's side: loaded when it is first asked, in a worker of its own, one thought at a time.
// Who cannot have one (no WebAssembly, a file that does not come, other sources than the server's, a game with secrets)
// is told so by `NoEngine`, and asks the server.

import type { Judged, Opinion } from './adviser';
import type { Description } from './description';
import type { Chosen, Task } from './opponent';
import type { Answer, Question } from './talk';

/** A position as a seat knows it, in the bytes of the sources that made them. */
export interface Known {
  sources: string;
  /** In base64. */
  view: string;
  seat: number;
}

export class NoEngine extends Error {}
/** Somebody ended the thought. */
export class Stopped extends Error {}

type Asked = Question extends infer Each ? (Each extends Question ? Omit<Each, 'id'> : never) : never;
interface Loaded {
  module: WebAssembly.Module;
  about: Description;
}

/** Files that come when they are asked for, by their names. */
type Files = Record<string, () => Promise<string>>;

const CODES: Files = import.meta.glob<string>('../../../../build/engines/*.wasm', { query: '?url', import: 'default' });
const ABOUTS: Files = import.meta.glob<string>('../../../../build/engines/*.json', { query: '?url', import: 'default' });
const loaded = new Map<string, Promise<Loaded>>();

/** Does this site bring an engine along? */
export const hasEngine = (game: string) => nameOf(game) in CODES && typeof WebAssembly === 'object';
const nameOf = (game: string, end = 'wasm') => `../../../../build/engines/${game}.${end}`;
const SECRETS = { codes: {} as Files, abouts: {} as Files };

/** Engines of games with secrets, where no secret is kept from whoever thinks: against nobody but computers. */
export function bring(codes: Files, abouts: Files): void {
  for (const [path, file] of Object.entries(codes)) SECRETS.codes[base(path)] = file;
  for (const [path, file] of Object.entries(abouts)) SECRETS.abouts[base(path)] = file;
}
const base = (path: string) => path.replace(/.*\//, '');

function load(game: string): Promise<Loaded> {
  let found = loaded.get(game);
  if (!found) {
    found = fetched(game);
    found.catch(() => loaded.delete(game)); // asked again next time
    loaded.set(game, found);
  }
  return found;
}

async function fetched(game: string): Promise<Loaded> {
  const code = CODES[nameOf(game)] ?? SECRETS.codes[`${game}.wasm`];
  const about = ABOUTS[nameOf(game, 'json')] ?? SECRETS.abouts[`${game}.json`];
  if (!code || !about || typeof Worker === 'undefined' || typeof WebAssembly === 'undefined') throw new NoEngine(game);
  const [module, described] = await Promise.all([
    code().then((url) => WebAssembly.compileStreaming(fetch(url))),
    about().then(async (url) => (await fetch(url)).json() as Promise<Description>),
  ]);
  return { module, about: described };
}

export class Thinker {
  private worker: Worker | null = null;
  private waiting: { id: number; told: (opinion: Opinion) => void; done: (answer: Answer) => void; fail: (why: Error) => void } | null =
    null;
  private number = 0;

  constructor(private readonly game: string) {}

  /** What it thinks after so many milliseconds; `told` hears how it goes. A new question ends the one before. */
  async think(known: Known, time: number, told: (opinion: Opinion) => void = () => {}): Promise<Opinion> {
    const answer = await this.ask(known, { kind: 'think', bytes: unpacked(known.view), seat: known.seat, time }, told);
    return (answer as Extract<Answer, { opinion: Opinion }>).opinion;
  }

  async judge(known: Known, action: bigint, time: number): Promise<Judged> {
    const answer = await this.ask(known, { kind: 'judge', bytes: unpacked(known.view), seat: known.seat, time, action });
    return (answer as Extract<Answer, { judged: Judged }>).judged;
  }

  /** What a player chooses, as soon as it has used its budget. */
  async choose(known: Known, task: Task): Promise<Chosen> {
    const answer = await this.ask(known, { kind: 'choose', bytes: unpacked(known.view), seat: known.seat, task });
    return (answer as Extract<Answer, { chosen: Chosen }>).chosen;
  }

  /** Ends a thought, and with it the worker, if there is one. */
  stop(): void {
    if (!this.waiting) return;
    const { fail } = this.waiting;
    this.end();
    fail(new Stopped());
  }

  /** For good. */
  close(): void {
    this.stop();
    this.end();
  }

  private end(): void {
    this.worker?.terminate();
    this.worker = null;
    this.waiting = null;
  }

  private async ask(known: Known, question: Asked, told: (opinion: Opinion) => void = () => {}): Promise<Answer> {
    this.stop();
    const number = ++this.number;
    try {
      const { module, about } = await load(this.game);
      if (about.sources !== known.sources) throw new NoEngine('other sources');
      if (number !== this.number) throw new Stopped();
      if (!this.worker) await this.begin(module, about);
      if (number !== this.number) throw new Stopped();
      return await this.send(question, told);
    } catch (error) {
      if (error instanceof Stopped) throw error;
      this.end();
      throw error instanceof NoEngine ? error : new NoEngine(String(error));
    }
  }

  private async begin(module: WebAssembly.Module, about: Description): Promise<void> {
    const worker = (this.worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }));
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.hear(data);
    worker.onerror = () => this.worker === worker && this.waiting?.fail(new NoEngine('worker'));
    await this.send({ kind: 'begin', module, about }, () => {});
  }

  private hear(answer: Answer): void {
    if (this.waiting?.id !== answer.id) return;
    const { told, done, fail } = this.waiting;
    if (answer.kind === 'told') return told(answer.opinion);
    this.waiting = null;
    if (answer.kind === 'failed') fail(new NoEngine(answer.why));
    else done(answer);
  }

  private send(question: Asked, told: (opinion: Opinion) => void): Promise<Answer> {
    const id = this.number;
    return new Promise((done, fail) => {
      this.waiting = { id, told, done, fail };
      this.worker?.postMessage({ ...question, id });
    });
  }
}

function unpacked(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}
