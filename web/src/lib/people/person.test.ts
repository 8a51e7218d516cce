// What this browser keeps of its person: taken along, and gone when they are forgotten.
import { expect, test, vi } from 'vitest';
import { hold, keep, keepDraft, keys, matches, owner, recall } from '$lib/keep';
import { erase, kept, personName } from './person.svelte';

test('what the server does not know is taken along, without a secret, and erased with the rest', () => {
  const key = owner();
  keep('owner.before', 'another key');
  keep('classroom.token', 'a teacher’s');
  keep('settings', { sound: false });
  keep('puzzles', { lessons: ['khet/pins'] });
  keepDraft('khet', { id: 'd', name: 'Mine', text: 'x33' });
  hold('mine', 'khet', [{ seat: 0, token: key }]);
  hold('a guest’s', 'khet', [{ seat: 0, token: 'a guest’s' }]);
  const drafts = [{ id: 'd', name: 'Mine', text: 'x33' }];
  expect(kept()).toEqual({ puzzles: { lessons: ['khet/pins'] }, 'drafts.khet': drafts });

  vi.spyOn(console, 'error').mockImplementation(() => {}); // jsdom goes nowhere
  erase();
  expect(keys()).toEqual(['classroom.token', 'matches', 'settings']);
  expect(matches().map(({ id }) => id)).toEqual(['a guest’s']);
  expect([personName(), recall('puzzles', null), localStorage.getItem('quincunx.puzzles')]).toEqual(['', null, null]);
  expect(owner()).not.toBe(key);
});
