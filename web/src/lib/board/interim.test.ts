import { expect, test } from 'vitest';
import { Interim } from './interim.svelte';

test('who comes back to the position that a story started from finds it as it was', () => {
  const [before, after] = [{ n: 1 }, { n: 2 }];
  const interim = new Interim<string>();
  interim.begin(before, 'on the way');
  expect(interim.at(before)).toBe('on the way');
  interim.drawn = 'there';
  expect(interim.at(before)).toBe('there');
  expect(interim.at(after)).toBeNull();
  expect(interim.at(before)).toBeNull();
  interim.begin(before, 'again');
  expect(interim.at(before)).toBe('again');
});
