// The boards of matches under way keep their places, and those that are over leave after a while.
import { expect, test } from 'vitest';
import { arrange, type Playing, type Slot } from './live.svelte';

const playing = (...ids: string[]): Playing[] =>
  ids.map((match, pairing) => ({ pairing, number: 0, players: ['a', 'b'], match }));
const slots = (...ids: string[]): Slot[] => playing(...ids).map((match) => ({ match, over: null }));
const named = (found: Slot[]) => found.map(({ match, over }) => match.match + (over === null ? '' : ' over'));

test.each([
  [[], ['a', 'b'], ['a', 'b']],
  [['a', 'b'], ['b', 'c'], ['a over', 'b', 'c']], // there is room: the one that ended stays to be looked at
  [['a', 'b', 'c'], ['c', 'b', 'd'], ['d', 'b', 'c']], // it takes the place of the one that ended
  [['a', 'b', 'c'], ['a', 'b', 'c', 'd'], ['a', 'b', 'c']], // none is pushed away
  [['a'], [], ['a over']],
])('%j, then %j: %j', (before, now, expected) => expect(named(arrange(slots(...before), playing(...now), 3, 0))).toEqual(expected));

test('what is over leaves after some seconds, counted from when it was seen', () => {
  const first = arrange(slots('a', 'b'), playing('b'), 3, 1000);
  const second = arrange(first, playing('b'), 3, 8000);
  expect([named(second), named(arrange(second, playing('b'), 3, 9001))]).toEqual([['a over', 'b'], ['b']]);
});
