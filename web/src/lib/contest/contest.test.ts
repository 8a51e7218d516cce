// A contest on the screen: news are added to what is known, and rows know how they moved.
import { expect, test } from 'vitest';
import type { Wire } from '$lib/match/socket';
import { after, ContestOnScreen, type News, type Result, type TableLine } from './contest.svelte';

const line = (name: string, place: number, points = 0): TableLine => ({
  ...{ name, place, points, matches: 4, wins: 0, draws: 0, losses: 0, think_time: 0, troubles: {} },
  rating: null,
});
export const result = (number: number, ranks = [1, 2]): Result => ({
  ...{ pairing: 0, number, players: ['a', 'b'], ranks, reason: 'played', start: '', at: 0, troubles: [] },
});
const news = (more: Partial<News>): News => ({
  ...{ seq: 1, played: 1, expected: 9, round: 1, rounds: 3, finished: null },
  ...{ lines: [], meetings: [], results: [], playing: [], upcoming: [] },
  ...more,
});

test('what changed is put in its place, and the rest stays', () => {
  const before = news({
    lines: [line('a', 1), line('b', 2), line('c', 3)],
    meetings: [{ one: 'a', two: 'b', points: 1, matches: 1 }],
    results: [result(0)],
  });
  const now = after(
    before,
    news({
      seq: 2,
      lines: [line('b', 1, 2), line('a', 2)],
      meetings: [
        { one: 'a', two: 'b', points: 1, matches: 2 },
        { one: 'a', two: 'c', points: 0.5, matches: 1 },
      ],
      results: [result(1)],
    }),
  );
  expect(now.lines.map(({ name, points }) => [name, points])).toEqual([['b', 2], ['a', 0], ['c', 0]]);
  expect(now.meetings.map(({ two, matches }) => [two, matches])).toEqual([['b', 2], ['c', 1]]);
  expect(now.results.map(({ number }) => number)).toEqual([0, 1]);
  expect(now.seq).toBe(2);
});

test('who has no place yet comes last, and has not moved', () => {
  const before = news({ lines: [line('a', 1), line('new', 0)] });
  const now = after(before, news({ lines: [line('b', 1), line('a', 2)] }));
  expect(now.lines.map(({ name }) => name)).toEqual(['b', 'a', 'new']);
});

test('only the latest results are kept', () => {
  const many = after(news({ results: [result(0)] }), news({ results: Array.from({ length: 12 }, (_, n) => result(n + 1)) }));
  expect(many.results.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('who moved is known by how much, and a lost line begins anew', () => {
  let wire!: Wire;
  const dial = () => (wire = { onopen: null, onmessage: null, onclose: null, send() {}, close() {} });
  const contest = new ContestOnScreen('cup', dial);
  const says = (word: object) => wire.onmessage!({ data: JSON.stringify(word) });
  wire.onopen!();
  expect(contest.state).toBe('open');
  says({ id: 'cup', name: 'Cup', now: news({ lines: [line('a', 1), line('b', 2), line('c', 3)] }) });
  expect(contest.about!.name).toBe('Cup');
  says({ type: 'pong' });
  says(news({ lines: [line('c', 1), line('a', 2), line('b', 3)] }));
  expect(contest.moved).toEqual({ c: 2, a: -1, b: -1 });
  says(news({ seq: 2 }));
  expect(contest.moved).toEqual({});
  wire.onclose!({ code: 1006 });
  expect(contest.state).toBe('lost');
  contest.close();
});

test('an unknown contest is gone for good', () => {
  let wire!: Wire;
  const dial = () => (wire = { onopen: null, onmessage: null, onclose: null, send() {}, close() {} });
  const contest = new ContestOnScreen('nothing', dial);
  wire.onopen!();
  wire.onclose!({ code: 4404 });
  expect(contest.state).toBe('gone');
});
