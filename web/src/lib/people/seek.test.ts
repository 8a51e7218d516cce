// Looking for an opponent: one search at a time, that ends when it is to end, whether or not somebody looks at the page.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { matches } from '$lib/keep';
import { CLOCKS, people, type NewSeek, type Sought } from './api';
import { Seeking } from './seek.svelte';

const bells: (() => void)[] = [];
vi.mock('./alarm', () => ({
  Alarm: class {
    constructor(ring: () => void) {
      bells.push(ring);
    }
    set() {}
    close() {}
  },
}));

const WANTED: NewSeek = { game: 'khet', clock: CLOCKS[0]!.clock, rated: true, friend: null };
const nobody: Sought = { found: null, reach: 100, seeks: [] };
const found: Sought = {
  found: { match: 'm', game: 'khet', held: { seat: 0, token: 'key' } }, reach: 0, seeks: [],
}; // prettier-ignore
let answers: ((sought: Sought) => void)[];
let words: string[];
const settled = () => new Promise((done) => setTimeout(done));

beforeEach(() => {
  [answers, words] = [[], []];
  bells.length = 0;
  vi.spyOn(people, 'seeks').mockResolvedValue([]);
  vi.spyOn(people, 'seek').mockImplementation(() => (words.push('seek'), new Promise((done) => answers.push(done))));
  vi.spyOn(people, 'stopSeeking').mockImplementation(() => (words.push('stop'), Promise.resolve(undefined as never)));
});
afterEach(() => vi.restoreAllMocks());

test('a word that may have come there after the one that stops is taken back once more', async () => {
  const seeking = new Seeking(() => {});
  seeking.begin(WANTED);
  seeking.stop();
  expect(words).toEqual(['seek', 'stop']);
  answers[0]!(nobody);
  await settled();
  expect(words).toEqual(['seek', 'stop', 'stop']);
});

test('the same when the page is left', async () => {
  const seeking = new Seeking(() => {});
  seeking.begin(WANTED);
  seeking.close();
  answers[0]!(nobody);
  await settled();
  expect(words).toEqual(['seek', 'stop', 'stop']);
});

test('it is said again when the alarm rings, which a hidden page hears too', async () => {
  const seeking = new Seeking(() => {});
  seeking.begin(WANTED);
  answers[0]!(nobody);
  await settled();
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  bells[0]!();
  expect(words).toEqual(['seek', 'seek']);
});

test('who was found is not left alone by a stop that came too late', async () => {
  const met: string[] = [];
  const seeking = new Seeking((match) => met.push(match));
  seeking.begin(WANTED);
  seeking.stop();
  answers[0]!(found);
  await settled();
  expect(met).toEqual(['m']);
  expect(matches()[0]).toMatchObject({ id: 'm', seats: [{ seat: 0, token: 'key' }] });
  seeking.close();
  expect(words).toEqual(['seek', 'stop']);
});
