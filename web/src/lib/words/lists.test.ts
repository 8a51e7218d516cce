import { afterEach, expect, test, vi } from 'vitest';
import { speak } from './language.svelte';
import { when } from './lists';

const NOON = new Date(2026, 1, 3, 12).getTime(); // 3 February, wherever the clock stands
afterEach(() => vi.restoreAllMocks());

test.each([
  ['en', ['en-GB', 'en'], /^3 Feb 2026/],
  ['en', ['fr-FR', 'en-US'], /^Feb 3, 2026/],
  ['fr', ['en-GB', 'fr-CA'], /^3 févr\. 2026/],
  ['fr', ['en-GB'], /^3 févr\. 2026/],
] as const)('%s for somebody who prefers %s', (language, languages, written) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([...languages]);
  speak(language);
  expect(when(NOON)).toMatch(written);
});
