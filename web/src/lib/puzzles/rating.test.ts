import { expect, test } from 'vitest';
import { gameOf, nextOf, nothing, tried, type Listed } from './progress.svelte';
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

const files = import.meta.glob<string>('../../../../src/quincunx/games/*/puzzles.jsonl', {
  query: '?raw', import: 'default', eager: true,
}); // prettier-ignore
const SHELVES = Object.entries(files).map(([file, lines]) => {
  const shelf = lines.trim().split('\n').map((line) => JSON.parse(line) as Listed); // prettier-ignore
  return [file.split('/').at(-2)!, shelf.sort((a, b) => a.rating - b.rating)] as const;
});
const TRIES = 80;

/** Somebody who gets the puzzles that this server has, as a page hands them out, each once. */
function onShelf(shelf: readonly Listed[], truth: number, seed: number): number {
  const random = numbers(seed);
  let now = nothing();
  for (let n = 0; n < Math.min(TRIES, shelf.length); n++) {
    const puzzle = nextOf(shelf, gameOf(now, 'g'), random)!;
    now = tried(now, 'g', puzzle, random() < expected(truth, puzzle.rating), '2026-11-18');
  }
  return gameOf(now, 'g').rating;
}

test.each(SHELVES)('with the puzzles of %s a rating comes to whoever is as strong as they are hard', (_, shelf) => {
  for (const part of [0.1, 0.5, 0.9]) {
    const truth = shelf[Math.floor(part * shelf.length)]!.rating;
    const errors = Array.from({ length: 100 }, (_, seed) => onShelf(shelf, truth, seed + 1) - truth);
    const mean = errors.reduce((sum, each) => sum + each) / errors.length;
    expect(Math.abs(mean)).toBeLessThan(40);
    expect(Math.sqrt(errors.reduce((sum, each) => sum + each ** 2, 0) / errors.length)).toBeLessThan(80);
  }
});

test('whoever is stronger than every puzzle there is seems weaker than they are: nothing tells how much', () => {
  for (const [, shelf] of SHELVES) {
    const truth = shelf.at(-1)!.rating + 400;
    expect(onShelf(shelf, truth, 1)).toBeLessThan(truth - 100);
  }
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
