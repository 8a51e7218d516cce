import { expect, test } from 'vitest';
import { dailyOf, dayOf, gameOf, nextOf, nothing, ofTheDay, streakOn, tried, triedDaily } from './progress.svelte';

const puzzle = (id: string, rating = 1000) => ({ id, rating });

test('a first try moves the rating, a second one at the same puzzle does not', () => {
  const once = tried(nothing(), 'khet', puzzle('a'), true, '2026-11-18');
  const twice = tried(once, 'khet', puzzle('a'), false, '2026-11-18');
  expect(gameOf(once, 'khet').rating).toBeGreaterThan(1000);
  expect(gameOf(twice, 'khet').rating).toBe(gameOf(once, 'khet').rating);
  expect(gameOf(twice, 'khet')).toMatchObject({ tried: 2, solved: 1, seen: ['a'] });
  expect(gameOf(twice, 'garden').rating).toBe(1000);
});

test('days in a row: solved today and yesterday count, a gap begins anew, a failure breaks nothing', () => {
  let now = tried(nothing(), 'khet', puzzle('a'), true, '2026-02-27');
  now = tried(now, 'khet', puzzle('b'), true, '2026-02-28');
  now = tried(now, 'khet', puzzle('c'), true, '2026-02-28');
  now = tried(now, 'khet', puzzle('d'), true, '2026-03-01');
  expect(now.streak).toEqual({ day: '2026-03-01', days: 3, best: 3 });
  expect(streakOn(now, '2026-03-02')).toBe(3);
  expect(streakOn(now, '2026-03-03')).toBe(0);
  now = tried(now, 'khet', puzzle('e'), false, '2026-03-02');
  expect(now.streak.days).toBe(3);
  now = tried(now, 'khet', puzzle('f'), true, '2026-03-05');
  expect(now.streak).toEqual({ day: '2026-03-05', days: 1, best: 3 });
});

test('the next puzzle is new and near; when there is no new one, the oldest comes back', () => {
  const all = Array.from({ length: 40 }, (_, n) => puzzle(String(n), 700 + 30 * n));
  const some = { ...gameOf(nothing(), 'khet'), seen: ['10', '11'] };
  for (let k = 0; k < 8; k++) {
    const next = nextOf(all, some, () => k / 8)!;
    expect(some.seen).not.toContain(next.id);
    expect(Math.abs(next.rating - 1000)).toBeLessThan(200);
  }
  const seen = all.map(({ id }) => id).reverse();
  expect(nextOf(all, { ...some, seen }, Math.random)!.id).toBe('39');
  expect(nextOf([], some, Math.random)).toBeNull();
});

test('the puzzle of a day is everybody’s, and another one the next day', () => {
  const games = ['khet', 'garden', 'cultist'];
  const days = Array.from({ length: 30 }, (_, n) => dayOf(Date.UTC(2026, 10, 1 + n)));
  expect(days.map((day) => dailyOf(day, games))).toEqual(days.map((day) => dailyOf(day, [...games].sort())));
  expect(new Set(days.slice(0, 3).map((day) => dailyOf(day, games))).size).toBe(3);
  const all = Array.from({ length: 200 }, (_, n) => n);
  expect(new Set(days.map((day) => ofTheDay(day, all))).size).toBeGreaterThan(20);
  expect(ofTheDay('2026-11-18', [])).toBeUndefined();
});

test('who failed the puzzle of the day has failed it, however often they come back', () => {
  const failed = triedDaily(nothing(), '2026-11-18', false);
  expect(triedDaily(failed, '2026-11-18', true).daily).toEqual({ day: '2026-11-18', right: false });
  expect(triedDaily(failed, '2026-11-19', true).daily).toEqual({ day: '2026-11-19', right: true });
});
