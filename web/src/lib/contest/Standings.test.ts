// The table and the cross table: what stands where.
import { flushSync, mount, unmount } from 'svelte';
import { beforeEach, expect, test } from 'vitest';
import { speak } from '$lib/words/language.svelte';
import type { TableLine } from './contest.svelte';
import CrossTable from './CrossTable.svelte';
import Standings from './Standings.svelte';

beforeEach(() => {
  speak('en');
  document.body.innerHTML = '';
});
const line = (name: string, place: number, more: Partial<TableLine> = {}): TableLine => ({
  ...{ name, place, points: 3.5, matches: 4, wins: 3, draws: 1, losses: 0, think_time: 0.012, troubles: {}, rating: null },
  ...more,
});
const cells = (row: Element) => [...row.children].map((cell) => cell.textContent!.replace(/\s+/g, ' ').trim());

test('a rating comes with its interval, and a column only where there is one', () => {
  const plain = mount(Standings, { target: document.body, props: { lines: [line('level:1', 1)] } });
  flushSync();
  expect(cells(document.querySelector('thead tr')!)).not.toContain('Elo');
  void unmount(plain);
  document.body.innerHTML = '';
  const rating = { value: 84.4, low: 44, high: 124.8 };
  const vague = { value: 84.4, low: -600, high: 700 };
  const lines = [line('level:1', 1, { rating }), line('fox.py', 2, { troubles: { late: 2 }, rating: vague })];
  const rated = mount(Standings, { target: document.body, props: { lines, moved: { 'level:1': 1 } } });
  flushSync();
  const [first, second] = [...document.querySelectorAll('tbody tr')].map(cells);
  expect(first!.slice(0, 5)).toEqual(['1', 'Level 1 ▲ 4 matches · 3 – 1 – 0', '+84 ± 40', '3.5', '88%']);
  expect(second![1]).toContain('late ×');
  expect(second![2]).toBe('');
  void unmount(rated);
});

test('in an arena a rating has no sign, however vague; who has not played has none, and no place', () => {
  const rating = { value: 1512.4, low: 1112, high: 1912.8 };
  const here = { kind: 'program' as const, present: true, accepted: true };
  const lines = [line('fox', 1, { ...here, rating }), line('new', 0, { ...here, accepted: false, matches: 0, rating })];
  const table = mount(Standings, { target: document.body, props: { lines, arena: true } });
  flushSync();
  const [first, second] = [...document.querySelectorAll('tbody tr')].map(cells);
  expect(first!.slice(0, 3)).toEqual(['1', 'here fox 4 matches · 3 – 1 – 0', '1512 ± 400']);
  expect([second![0], second![2]]).toEqual(['–', '']);
  expect(second![1]).toContain('not accepted yet');
  void unmount(table);
});

test('a cell says what its row made of its column', () => {
  const lines = [line('b', 1), line('a', 2), line('c', 3)];
  const meetings = [{ one: 'a', two: 'b', points: 1, matches: 4 }];
  const table = mount(CrossTable, { target: document.body, props: { lines, meetings } });
  flushSync();
  const found = [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.querySelector('span')?.textContent ?? ''),
  );
  expect(found).toEqual([
    ['', '75', '·'],
    ['25', '', '·'],
    ['·', '·', ''],
  ]);
  expect(document.querySelector('tbody td[title]')!.getAttribute('title')).toBe('b against a: 3 points in 4 matches');
  void unmount(table);
});
