// A friend's invitation: seen on every page that shows it, answered with one press.
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '$lib/api/client';
import { callMe, keep } from '$lib/keep';
import { CLOCKS, people, type Me, type SeekShown } from './api';
import Invitations from './Invitations.svelte';
import { recognise } from './person.svelte';
import Lobby from '../../routes/Lobby.svelte';

const clock = CLOCKS[1]!.clock;
const of = (name: string, invites_me: boolean): SeekShown => ({
  name, invites_me, game: 'khet', clock, rated: true, rating: null, mine: false,
}); // prettier-ignore
const ME: Me = {
  name: 'Blaise', created: 0, standings: [], playing: [], friends: ['Ada & Co'], friend_code: 'code', favourites: [],
}; // prettier-ignore
const settled = async () => {
  await new Promise((done) => setTimeout(done));
  flushSync();
};
let page: Record<string, never>;

beforeEach(() => {
  document.body.innerHTML = '';
  vi.spyOn(people, 'seeks').mockResolvedValue([of('Ada & Co', true), of('Eve', false)]);
  vi.spyOn(people, 'me').mockResolvedValue(ME);
  vi.spyOn(people, 'stopSeeking').mockResolvedValue(undefined as never);
  vi.spyOn(api, 'games').mockResolvedValue([]);
});
afterEach(() => {
  void unmount(page);
  vi.restoreAllMocks();
  keep('person', '');
  callMe('');
});

test('it says who invites to what, and leads to the answer', async () => {
  page = mount(Invitations, { target: document.body, props: { nameOf: () => 'Khet' } });
  await settled();
  expect(document.body.textContent).toMatch(/Ada & Co invites you\s*Khet · 10 min \+ 10 s · Rated/);
  expect(document.body.textContent).not.toContain('Eve');
  expect([...document.links].map((link) => link.getAttribute('href'))).toEqual(['/lobby#accept=Ada%20%26%20Co']);
});

test('who comes by that link accepts, once', async () => {
  recognise(ME);
  location.hash = '#accept=Ada%20%26%20Co';
  const sought = vi.spyOn(people, 'seek').mockReturnValue(new Promise(() => {}));
  page = mount(Lobby, { target: document.body }) as Record<string, never>;
  await settled();
  await settled();
  expect(sought.mock.calls).toEqual([[{ game: 'khet', clock, rated: true, friend: 'Ada & Co' }]]);
  expect(location.hash).toBe('');
});
