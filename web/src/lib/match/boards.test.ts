// A law for every board there is: whenever the next update comes, each story is told as if it were the only one. While
// it is told the board shows the position before it, step by step the same pictures; then the next one begins; at the
// end the board shows what was seen last, and marks the last move. The matches come from tools/frames.py.

import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BoardHandle, GamePages, Motion, StoryEvent } from '$lib/board/contract';
import { lastMove } from '$lib/board/last';
import { settings } from '$lib/settings.svelte';
import Table from './Table.svelte';

interface Frame {
  shown: unknown;
  board: unknown;
  story: StoryEvent[];
}
interface Recorded {
  card: { id: string; fog: boolean };
  eye: number;
  options: object;
  frames: Frame[];
}
const folders = import.meta.glob<{ default: GamePages }>('../../games/*/index.ts');
const matches = import.meta.glob<string>('/gallery/*.json', { query: '?raw', import: 'default' });
const GAMES = Object.keys(folders).map((file) => file.split('/').at(-2)!);
const ENOUGH = 5; // updates

let wire: FakeSocket;
class FakeSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose = null;
  constructor() {
    wire = this;
  }
  send() {}
  close() {}
  says(word: object) {
    this.onmessage!({ data: JSON.stringify(word) });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900); // boards that must know how much room there is
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(700);
  settings.pace = 1;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function load(game: string): Promise<{ pages: GamePages; match: Recorded; updates: Frame[] }> {
  const file = matches[`/gallery/${game === 'generic' ? 'connect_four' : game}.json`];
  if (!file) throw new Error(`No match of ${game}: run python tools/frames.py`);
  const match = JSON.parse(await file()) as Recorded;
  const updates: Frame[] = [];
  let story: StoryEvent[] = [];
  for (const frame of match.frames) {
    story = [...story, ...frame.story];
    const visible = frame.story.some(({ cells }) => cells.length);
    if (!updates.length || visible) updates.push({ ...frame, story });
    if (visible) story = [];
  }
  return { pages: (await folders[`../../games/${game}/index.ts`]!()).default, match, updates: updates.slice(0, ENOUGH) };
}

/** Without the names of drawings, and without what depends on the pace: a story hurries when another waits. */
const picture = () =>
  document.querySelector('.stage')!.innerHTML.replace(/\bc\d+-|[\d.]+m?s\b|pace: [\d.]+/g, '');
const cells = () =>
  [...document.querySelectorAll('.stage [role="gridcell"]')].map((cell) => cell.getAttribute('aria-label'));
const marked = () =>
  new Set([...document.querySelectorAll<HTMLElement>('[data-last]')].flatMap((mark) => mark.dataset.last!.split(' ')));

/** The pages of a game whose board writes down what it shows whenever a story waits. */
function watched(pages: GamePages, log: string[][]): GamePages {
  const Board = ((anchor: never, props: never) => {
    const made = pages.Board(anchor, props) as BoardHandle;
    if (!made.tell) return made;
    const tell = async (before: unknown, after: unknown, story: StoryEvent[], motion: Motion) => {
      const seen = [picture()]; // as it is: nothing may be pending
      log.push(seen);
      const wait = (ms: number) => (flushSync(), seen.push(picture()), motion.wait(ms));
      const spied = Object.create(motion, { wait: { value: wait } }) as Motion;
      await made.tell!(before, after, story, spied);
    };
    return { key: made.key, tell };
  }) as unknown as GamePages['Board'];
  return { ...pages, Board };
}

async function open(pages: GamePages, match: Recorded, first: Frame) {
  document.body.innerHTML = '';
  const game = { card: { ...match.card, name: { fr: 'g', en: 'g' }, seat_names: [] } } as never;
  const table = mount(Table, { target: document.body, props: { id: 'm', game, pages } });
  wire.onopen!();
  wire.says({ type: 'welcome', match: 'm', game: 'g', yours: [], fog: false, options: match.options });
  const seats = [1, 2].map((n) => ({ name: `P${n}`, kind: 'person', player: 'person', present: true }));
  let n = 0;
  const say = ({ shown, board, story }: Frame) =>
    wire.says({
      ...{ type: 'update', n: ++n, observer: match.eye, shown, board, story, legal: [], to_act: [1], seats },
      ...{ clocks: [null, null], draw_offers: [], take_back_asked: null, outcome: null, rematch: null },
    });
  say(first);
  await vi.advanceTimersByTimeAsync(100);
  return { say, end: () => unmount(table) };
}

/** Tells all updates, each so many milliseconds after the one before it; Infinity: when all is told. */
async function run(game: string, delay: number): Promise<{ log: string[][]; end: string[]; last: Set<string> }> {
  const { pages, match, updates } = await load(game);
  const log: string[][] = [];
  const table = await open(watched(pages, log), match, updates[0]!);
  for (let n = 1; n < updates.length; n += 2) {
    for (const update of updates.slice(n, n + 2)) {
      table.say(update);
      await vi.advanceTimersByTimeAsync(Math.min(delay, 60_000));
    }
    await vi.advanceTimersByTimeAsync(60_000);
  }
  const seen = { log, end: cells() as string[], last: marked() };
  await table.end();
  return seen;
}

test.each(GAMES)('%s: a story looks the same whenever the next one comes', async (game) => {
  const { pages, match, updates } = await load(game);
  const alone = await run(game, Infinity);
  if (game !== 'generic') expect(alone.log.filter((seen) => seen.length > 1).length).toBeGreaterThan(2); // it moves
  for (const delay of [0, 30, 300]) {
    const together = await run(game, delay);
    expect(together.log.map((seen) => seen.length)).toEqual(alone.log.map((seen) => seen.length));
    for (const [story, seen] of together.log.entries())
      for (const [step, shown] of seen.entries())
        expect(shown, `${delay} ms, story ${story}, step ${step}`).toBe(alone.log[story]![step]);
    expect(together.end).toEqual(alone.end);
    expect(together.last).toEqual(alone.last);
  }

  const story = updates.flatMap((update) => update.story);
  const wanted = new Set(lastMove(pages, story));
  expect(wanted.size).toBeGreaterThan(0);
  expect(alone.last).toEqual(wanted);
  const later = await open(pages, match, { ...updates.at(-1)!, story });
  if (!match.card.fog) expect(cells()).toEqual(alone.end); // under fog one who was there remembers more
  expect(marked()).toEqual(wanted);
  await later.end();
});
