import { expect, test } from 'vitest';
import { after, expected, NEWCOMER, type Rated } from './rating';

/** The same numbers each time (mulberry32). */
function numbers(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Somebody of a certain strength tries puzzles near the rating that they have so far. */
function solver(truth: number, tries: number, seed: number): Rated {
  const random = numbers(seed);
  let now = NEWCOMER;
  for (let n = 0; n < tries; n++) {
    const puzzle = Math.max(700, Math.min(2100, now.rating + 300 * (random() - 0.5)));
    now = after(now, puzzle, random() < expected(truth, puzzle));
  }
  return now;
}

test.each([800, 1100, 1500, 1900])('the rating of a solver of %i comes to it', (truth) => {
  const ends = Array.from({ length: 200 }, (_, seed) => solver(truth, 80, seed + 1).rating);
  const mean = ends.reduce((sum, each) => sum + each) / ends.length;
  const error = Math.sqrt(ends.reduce((sum, each) => sum + (each - truth) ** 2, 0) / ends.length);
  expect(Math.abs(mean - truth)).toBeLessThan(50);
  expect(error).toBeLessThan(120);
});

test('the error shrinks with the number of tries, and the deviation tells how large it is', () => {
  const errorAfter = (tries: number) =>
    Math.sqrt(
      Array.from({ length: 300 }, (_, seed) => solver(1500, tries, seed + 1).rating - 1500).reduce(
        (sum, each) => sum + each ** 2,
        0,
      ) / 300,
    );
  const [few, many] = [errorAfter(5), errorAfter(60)];
  expect(many).toBeLessThan(few / 2);
  expect(solver(1500, 60, 1).deviation).toBeLessThan(solver(1500, 5, 1).deviation);
});

test('right goes up, wrong goes down, and an easy one says little', () => {
  const me = { rating: 1500, deviation: 100 };
  expect(after(me, 1500, true).rating).toBeGreaterThan(1500);
  expect(after(me, 1500, false).rating).toBeLessThan(1500);
  expect(after(me, 900, true).rating - 1500).toBeLessThan(3);
  expect(after(me, 900, false).rating).toBeLessThan(after(me, 1500, false).rating);
});
