import { expect, test } from 'vitest';
import { PUBLIC } from '$lib/board/contract';
import { settings } from '$lib/settings.svelte';
import { MatchOnScreen } from './match.svelte';
import type { Wire } from './socket';

class Lead implements Wire {
  sent: { type: string; seat?: number }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {}
  says(word: unknown) {
    this.onmessage?.({ data: JSON.stringify(word) });
  }
}

const settled = () => new Promise((done) => setTimeout(done));
const event = (fr: string) => ({ kind: 'k', words: { fr, en: fr }, cells: [], turn: 1, by: 0 });
const update = (n: number, more: object = {}) => ({
  type: 'update',
  n,
  observer: 0,
  shown: `position ${n}`,
  story: [event(`coup ${n}`)],
  legal: ['a'],
  to_act: [0],
  clocks: [null, null],
  seats: [],
  outcome: null,
  ...more,
});

function sit(yours: number[], fog = false) {
  const lead = new Lead();
  const match = new MatchOnScreen({ address: 'ws://somewhere', tokens: () => ['t'], dial: () => lead });
  lead.onopen!();
  lead.says({ type: 'welcome', match: 'm', game: 'g', yours, fog });
  return { lead, match };
}

test('updates are told one after the other, and the board shows the old position meanwhile', async () => {
  const { lead, match } = sit([0]);
  lead.says(update(1));
  await settled();
  const told: unknown[] = [];
  let finish = () => {};
  match.board = { tell: (before, after) => (told.push([before, after]), new Promise((done) => (finish = done))) };
  lead.says(update(2));
  lead.says(update(3));
  await settled();
  expect([match.now?.shown, match.seat, match.legal]).toEqual(['position 1', null, []]);
  finish();
  await settled();
  finish();
  await settled();
  expect(told).toEqual([
    ['position 1', 'position 2'],
    ['position 2', 'position 3'],
  ]);
  expect([match.now?.shown, match.seat]).toEqual(['position 3', 0]);
  expect(match.told.map((each) => each.event.words.fr)).toEqual(['coup 1', 'coup 2', 'coup 3']);
});

test('a computer that waits its turn is known until it begins, or until one comes back', () => {
  const { lead, match } = sit([0]);
  lead.says({ type: 'waiting', seat: 1, waits: true });
  lead.says({ type: 'waiting', seat: 2, waits: true });
  expect([...match.queued]).toEqual([1, 2]);
  lead.says({ type: 'waiting', seat: 1, waits: false });
  expect([...match.queued]).toEqual([2]);
  lead.says({ type: 'welcome', match: 'm', game: 'g', yours: [0], fog: false });
  expect([...match.queued]).toEqual([]);
});

test('what went before the page was opened is listed, without its positions and without being told', async () => {
  const { lead, match } = sit([0]);
  expect(lead.sent[0]).toMatchObject({ type: 'hello', last: 0 });
  lead.says(update(7, { story: [event('coup 5'), event('coup 6')] }));
  lead.says(update(8));
  await settled();
  expect(match.told.map(({ n, event, shown }) => [n, event.words.fr, shown])).toEqual([
    [0, 'coup 5', null],
    [0, 'coup 6', null],
    [1, 'coup 8', 'position 8'],
  ]);
});

test('what was taken back leaves the story, and is not told as if it happened', async () => {
  const { lead, match } = sit([0]);
  lead.says(update(1, { retold: true, story: [] }));
  lead.says(update(2));
  lead.says(update(3));
  await settled();
  let told = 0;
  match.board = { tell: async () => void told++ };
  lead.says(update(4, { retold: true, story: [event('coup 2')], shown: 'position 2' }));
  await settled();
  expect(match.told.map(({ event, shown }) => [event.words.fr, shown])).toEqual([['coup 2', 'position 2']]);
  expect([told, match.now?.shown]).toEqual([0, 'position 2']);
  expect(match.takenBack.map(({ words }) => words.fr)).toEqual(['coup 3']);
  lead.says(update(5, { retold: true, story: [] }));
  await settled();
  expect(match.told).toEqual([]);
  expect(match.takenBack.map(({ words }) => words.fr)).toEqual(['coup 2']);
  lead.says(update(6));
  await settled();
  expect(match.takenBack).toEqual([]);
});

test('when many wait the telling is cut short', async () => {
  const { lead, match } = sit([0]);
  lead.says(update(1));
  await settled();
  match.board = { tell: (_, __, ___, motion) => motion.wait(1e6) };
  for (let n = 2; n < 8; n++) lead.says(update(n));
  await settled();
  expect(match.now?.n).toBe(3); // the fourth is told: only three wait behind it
  match.close();
});

test('a shared screen under fog holds nothing until somebody takes it, and nothing after', async () => {
  const { lead, match } = sit([0, 1], true);
  expect(lead.sent.at(-1)).toMatchObject({ type: 'look', seat: PUBLIC });
  lead.says(update(1, { observer: PUBLIC, shown: 'public', legal: [], story: [] }));
  await settled();
  expect([match.handover, match.next, match.seat]).toEqual([true, 0, null]);
  match.take(0);
  expect(lead.sent.at(-1)).toMatchObject({ type: 'look', seat: 0 });
  lead.says(update(2, { shown: 'secret of 0' }));
  await settled();
  expect([match.handover, match.seat]).toEqual([false, 0]);
  lead.says(update(3, { shown: 'secret of 0', to_act: [1], legal: [] }));
  await settled();
  expect([match.done, match.next]).toEqual([true, 1]);
  match.pass();
  lead.says(update(4, { shown: 'secret of 0' })); // still under way when the screen was passed
  await settled();
  expect(match.handover).toBe(true);
  expect(JSON.stringify([match.now, match.told, match.recap])).not.toContain('secret');
});

test('what a seat missed is read before its turn', async () => {
  const { lead, match } = sit([0, 1], true);
  match.take(1);
  lead.says(update(1, { observer: 1, to_act: [1], recap: true }));
  await settled();
  expect([match.recap?.length, match.seat]).toEqual([1, null]);
  match.recap = null;
  expect(match.seat).toBe(1);
});

test('a story after which all looks the same settles, too', async () => {
  const { lead, match } = sit([0]);
  lead.says(update(1, { shown: { turn: 1 } }));
  await settled();
  const before = match.now!.shown;
  match.board = { tell: async () => {} };
  lead.says({ type: 'changed', n: 2, observer: 0, story: [event('rien')] });
  await settled();
  expect(match.now).toMatchObject({ n: 2, shown: { turn: 1 } });
  expect(match.now!.shown).not.toBe(before);
});

test('the decisive moment stays before the result, and a click ends it', async () => {
  const { lead, match } = sit([0]);
  lead.says(update(1));
  await settled();
  const outcome = { reason: 'played', scores: [1, -1], ranks: [1, 2] };
  lead.says(update(2, { outcome }));
  await settled();
  expect([match.now?.outcome?.reason, match.lingering !== null]).toEqual(['played', true]);
  match.skip();
  await settled();
  expect(match.lingering).toBeNull();
  const late = sit([0]);
  late.lead.says(update(9, { outcome }));
  await settled();
  expect(late.match.lingering).toBeNull(); // it was decided long ago
});

test('who wants no motion has the decisive moment, too: waiting is none', async () => {
  settings.pace = 0;
  const { lead, match } = sit([0]);
  lead.says(update(1));
  await settled();
  lead.says(update(2, { outcome: { reason: 'played', scores: [1, -1], ranks: [1, 2] } }));
  await settled();
  expect(match.lingering).not.toBeNull();
  settings.pace = 1;
  match.skip();
  await settled();
  expect(match.lingering).toBeNull();
});

test('an animation that fails does not stop the match', async () => {
  const { lead, match } = sit([0]);
  lead.says(update(1));
  await settled();
  const { error } = console;
  console.error = () => {};
  match.board = { tell: () => Promise.reject(new Error('no')) };
  lead.says(update(2));
  await settled();
  console.error = error;
  expect(match.now?.n).toBe(2);
});

test('what changed is put to the latest update, told or not; if one was missed, all is asked for again', async () => {
  const { lead, match } = sit([0]);
  lead.says(update(1, { shown: { rows: 'r', sealed: [false, false] } }));
  lead.says({ type: 'changed', n: 2, observer: 0, shown: { sealed: { '1': true } }, acted: [1] });
  lead.says({ type: 'changed', n: 3, observer: 0, story: [event('scellé')], legal: [] });
  lead.says({ type: 'changed', n: 9, observer: 5, legal: ['z'] }); // of another eye
  await settled();
  expect(match.now).toMatchObject({ n: 3, shown: { rows: 'r', sealed: [false, true] }, legal: [], to_act: [0] });
  expect(match.told.at(-1)?.event.words.fr).toBe('scellé');
  const hellos = () => lead.sent.filter((word) => word.type === 'hello').length;
  expect(hellos()).toBe(1);
  lead.says({ type: 'changed', n: 5, observer: 0, legal: ['z'] });
  await settled();
  expect([match.now?.n, hellos()]).toEqual([3, 2]);
});
