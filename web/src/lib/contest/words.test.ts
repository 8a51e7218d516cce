// How players, troubles and times are called.
import { beforeEach, expect, test } from 'vitest';
import { speak } from '$lib/words/language.svelte';
import { called, duration, elo, ending, ordinal, percent, perTurn, troubleWord, troubleWords } from './words';

beforeEach(() => speak('en'));

test.each([
  ['level:3', 'Level 3'],
  ['level:3 #2', 'Level 3 #2'],
  ['mcts:time=0.1', 'Monte Carlo 0.1\u00a0s'],
  ['mcts:time=0.1,c=2', 'Monte Carlo 0.1\u00a0s c=2'],
  ['alphabeta:depth=6', 'Alpha-beta depth=6'],
  ['greedy', 'Greedy'],
  ['fox.py', 'fox.py'],
  ['Ada', 'Ada'],
])('%s is called %s', (name, said) => expect(called(name)).toBe(said));

test('troubles are small words, an unknown one is a forfeit', () => {
  expect(troubleWords({ late: 2, exited: 1, whatever: 3, toString: 1 })).toEqual([
    'late ×\u202f2',
    'stopped ×\u202f1',
    'forfeit ×\u202f3',
    'forfeit ×\u202f1',
  ]);
  expect(troubleWords({ round_robin: 1 })).toEqual(['forfeit ×\u202f1']); // a code is not any word of the table
});

test('one trouble, a place, a rating, the time of a turn', () => {
  expect([troubleWord('late'), troubleWord('whatever')]).toEqual(['late', 'forfeit']);
  expect([1, 2, 3, 4, 11, 22].map(ordinal)).toEqual(['1st', '2nd', '3rd', '4th', '11th', '22nd']);
  expect([elo(1512.4), elo(-3.6), perTurn(0.5)]).toEqual(['1512', '−4', '0.5\u00a0s a turn']);
  speak('fr');
  expect([ordinal(1), ordinal(12), perTurn(0.5)]).toEqual(['1er', '12e', '0,5\u00a0s par tour']);
});

test('times and shares', () => {
  expect([0, 0.00002, 0.0004, 0.035, 1.24, 75].map(duration)).toEqual([
    ...['–', '<\u00a00.1\u00a0ms', '0.4\u00a0ms', '35\u00a0ms', '1.2\u00a0s', '75\u00a0s'],
  ]);
  expect(percent(0.625)).toBe('63%');
  speak('fr');
  expect(percent(0.625)).toBe('63\u202f%');
});

test('how it ended', () => {
  expect(ending({ players: ['level:1', 'b'], ranks: [1, 2] })).toBe('Level 1 wins');
  expect(ending({ players: ['a', 'b'], ranks: [1, 1] })).toBe('draw');
});
