// Who plays, and whose clock runs.
import { flushSync, mount, unmount } from 'svelte';
import { expect, test } from 'vitest';
import { MatchOnScreen } from './match.svelte';
import Players from './Players.svelte';
import type { Wire } from './socket';
import type { Card } from './wire';

const MINUTE = 60_000;
const card = { id: 'g', seat_names: [] } as unknown as Card;

/** What the clocks show when the other seat is of this kind. */
async function clocks(kind: string): Promise<{ running: string[]; shown: string[] }> {
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
  const read = (selector: string) => [...document.querySelectorAll(selector)].map((clock) => clock.textContent!);
  const found = { running: read('.clock.runs'), shown: read('.clock') };
  void unmount(list);
  return found;
}

test('the clock of whoever is to act runs once everybody is there', async () => {
  expect(await clocks('person')).toEqual({ running: ['0:55'], shown: ['0:55', '1:00'] });
});

test.each(['open', 'awaited'])('a waiting room (a seat that is %s) shows no running clock', async (kind) => {
  expect(await clocks(kind)).toEqual({ running: [], shown: ['1:00', '1:00'] });
});
