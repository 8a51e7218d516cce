// The boards of matches that one watches go on by themselves; nobody looks, and nothing is asked.
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api, type Listed } from '$lib/api/client';
import Watch from '../../routes/Watch.svelte';

const match = {
  id: 'm', game: 'connect_four', status: 'playing', names: ['Ada', 'Blaise'], kinds: ['person', 'person'], open_seats: [],
  created: 0, outcome: null, code: null, start_known: false, rated: true, programs: [],
} as unknown as Listed; // prettier-ignore
const look = (...first: number[]) => ({
  seats: 2, shown: { columns: [first, ...Array(6).fill([])], count: first.length, lined_up: false, line: [], player: 0 },
}); // prettier-ignore

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a board shows the next position when it is there', async () => {
  let now = look();
  vi.spyOn(api, 'games').mockResolvedValue([]);
  vi.spyOn(api, 'matches').mockResolvedValue([match]);
  const asked = vi.spyOn(api, 'look').mockImplementation(async () => now as never);
  document.body.innerHTML = '';
  const page = mount(Watch, { target: document.body });
  const board = () => (flushSync(), document.querySelector('.mini')?.innerHTML ?? '');
  await vi.waitFor(() => expect(board()).toContain('svg'));
  const before = board();
  expect(document.querySelector('li a')!.getAttribute('href')).toBe('/match/m');
  now = look(0);
  await vi.advanceTimersByTimeAsync(3000);
  expect(board()).not.toBe(before);
  const times = asked.mock.calls.length;
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(9000);
  expect(asked.mock.calls.length).toBe(times);
  void unmount(page);
});
