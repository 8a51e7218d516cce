// Who plays, and whose clock runs.
import { flushSync, mount, unmount } from 'svelte';
import { expect, test, vi } from 'vitest';
import { people } from '$lib/people/api';
import { MatchOnScreen } from './match.svelte';
import Players from './Players.svelte';
import type { Wire } from './socket';
import type { Card } from './wire';

const MINUTE = 60_000;
const card = { id: 'g', seat_names: [] } as unknown as Card;

/** What is shown when the other seat is of this kind. */
async function table<T>(kind: string, read: (all: (selector: string) => string[]) => T): Promise<T> {
  const wire: Wire = { onopen: null, onmessage: null, onclose: null, send() {}, close() {} };
  const match = new MatchOnScreen({ address: 'ws://somewhere', tokens: () => ['t'], dial: () => wire });
  const says = (word: object) => wire.onmessage!({ data: JSON.stringify(word) });
  wire.onopen!();
  says({ type: 'welcome', match: 'm', game: 'g', yours: [0], fog: false });
  const seats = ['person', kind].map((each, n) => ({ kind: each, name: 'AB'[n], present: true }));
  const position = { n: 1, observer: 0, shown: null, story: [], legal: [], to_act: [0], outcome: null };
  says({ type: 'update', ...position, clocks: [MINUTE, MINUTE], seats });
  await new Promise((done) => setTimeout(done));
  match.cameAt = Date.now() - 5000;
  document.body.innerHTML = '';
  const list = mount(Players, { target: document.body, props: { match, names: ['Ada', 'Blaise'], colours: [], card } });
  flushSync();
  await new Promise((done) => setTimeout(done));
  const found = read((selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent!));
  void unmount(list);
  return found;
}
const clocks = (kind: string) => table(kind, (all) => ({ running: all('.clock.runs'), shown: all('.clock') }));

test('the clock of whoever is to act runs once everybody is there', async () => {
  expect(await clocks('person')).toEqual({ running: ['0:55'], shown: ['0:55', '1:00'] });
});

test.each(['open', 'awaited'])('a waiting room (a seat that is %s) shows no running clock', async (kind) => {
  expect(await clocks(kind)).toEqual({ running: [], shown: ['1:00', '1:00'] });
});

test('by the name of who is rated stands how strong they are, and nothing by the others', async () => {
  const asked = vi.spyOn(people, 'of');
  const strong = { value: 1612.4, low: 1560, high: 1664 };
  asked.mockResolvedValue([
    { name: 'Ada', rating: null, matches: 0 },
    { name: 'Blaise', rating: strong, matches: 9 },
  ]);
  const told = await table('person', (all) => all('.who').map((name) => name.replace(/\s+/g, ' ').trim()));
  expect(told).toEqual(['Ada you · to play', 'Blaise rating 1612']);
  expect(asked.mock.calls).toEqual([['m']]);
  asked.mockClear();
  expect(await table('computer', (all) => all('.rating'))).toEqual([]);
  expect(asked).not.toHaveBeenCalled(); // against a computer nobody is to be compared
});
