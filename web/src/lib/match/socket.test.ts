import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Line, type LineState, type Shelf, type Wire } from './socket';
import type { ToClient, ToServer } from './wire';

class Lead implements Wire {
  sent: ToServer[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.onclose?.({ code: 1000 });
  }
  says(word: unknown) {
    this.onmessage?.({ data: JSON.stringify(word) });
  }
}

let leads: Lead[] = [];
let states: LineState[] = [];
let heard: ToClient[] = [];
const hello: ToServer = { type: 'hello', tokens: ['t'] } as ToServer;

function dial(shelf?: Shelf): Line {
  return new Line(
    'ws://somewhere',
    { greeting: () => [hello], heard: (word) => heard.push(word), changed: (state) => states.push(state) },
    () => (leads.push(new Lead()), leads.at(-1)!),
    shelf,
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  [leads, states, heard] = [[], [], []];
});
afterEach(() => vi.useRealTimers());

test('it greets first, and a play is answered', async () => {
  const line = dial();
  leads[0]!.onopen!();
  const played = line.play(0, 'a1');
  const [greeting, play] = leads[0]!.sent;
  expect(greeting).toEqual(hello);
  leads[0]!.says({ type: 'accepted', id: (play as { id: string }).id });
  expect(await played).toBeNull();
  expect(heard).toEqual([]);
});

test('what was not acknowledged is sent again with the same id after the line was lost', async () => {
  const line = dial();
  leads[0]!.onopen!();
  const played = line.play(0, 'a1');
  leads[0]!.onclose!({ code: 1006 });
  expect(states.at(-1)).toBe('lost');
  vi.advanceTimersByTime(1000);
  leads[1]!.onopen!();
  expect(leads[1]!.sent).toEqual([hello, leads[0]!.sent[1]]);
  leads[1]!.says({
    type: 'refused',
    id: (leads[1]!.sent[1] as { id: string }).id,
    code: 'x',
    words: { fr: 'Non.', en: 'No.' },
  });
  expect(await played).toEqual({ fr: 'Non.', en: 'No.' });
});

test('what was under way when the page was left is sent by the next page, with the same id, until it is answered', () => {
  const kept = new Map<string, string>();
  const shelf = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  void dial(shelf).play(0, 'a1');
  leads[0]!.onopen!();
  const [, play] = leads[0]!.sent;
  expect(dial(shelf).waiting).toBe(1);
  leads[1]!.onopen!();
  expect(leads[1]!.sent).toEqual([hello, play]);
  leads[1]!.says({ type: 'accepted', id: (play as { id: string }).id });
  expect([kept.size, dial(shelf).waiting]).toEqual([0, 0]);
});

test('an action that is played while the line is down waits for it', () => {
  const line = dial();
  void line.play(1, 'b2');
  expect(leads[0]!.sent).toEqual([]);
  leads[0]!.onopen!();
  expect(leads[0]!.sent.map((word) => word.type)).toEqual(['hello', 'play']);
});

test('it waits longer after each failure, and never more than a few seconds', () => {
  dial();
  for (let n = 0; n < 12; n++) {
    leads.at(-1)!.onclose!({ code: 1006 });
    vi.advanceTimersByTime(13_000);
    expect(leads.length).toBe(n + 2);
  }
  leads.at(-1)!.onclose!({ code: 1006 });
  vi.advanceTimersByTime(1000);
  expect(leads.length).toBe(13);
});

test('it waits longer after each time that it was let in only to be refused', () => {
  dial();
  const busy = { type: 'refused', code: 'busy', words: { fr: 'Non.', en: 'No.' }, id: null } as const;
  for (let n = 0; n < 8; n++) {
    leads.at(-1)!.onopen!();
    leads.at(-1)!.says(busy);
    leads.at(-1)!.onclose!({ code: 4429 });
    vi.advanceTimersByTime(13_000);
  }
  leads.at(-1)!.onclose!({ code: 4429 });
  vi.advanceTimersByTime(1000);
  expect(leads.length).toBe(9);
});

test('a table that does not exist is not asked for again', () => {
  dial();
  leads[0]!.onclose!({ code: 4404 });
  vi.advanceTimersByTime(60_000);
  expect([states.at(-1), leads.length]).toEqual(['gone', 1]);
});

test('a silent line is given up', () => {
  dial();
  leads[0]!.onopen!();
  vi.advanceTimersByTime(80_000);
  expect(leads.length).toBeGreaterThan(1);
});

test('a refusal without an id is for the page', () => {
  dial();
  leads[0]!.onopen!();
  leads[0]!.says({ type: 'refused', code: 'no', words: { fr: 'Non.', en: 'No.' }, id: null });
  expect(heard.length).toBe(1);
});
