import { expect, test } from 'vitest';
import { parse } from './router.svelte';

test.each([
  ['/', { page: 'home' }],
  ['/new/khet', { page: 'new', game: 'khet' }],
  ['/match/ABCDEF', { page: 'match', id: 'ABCDEF' }],
  ['/editor/khet', { page: 'editor', game: 'khet', setup: null }],
  ['/editor/khet/12', { page: 'editor', game: 'khet', setup: '12' }],
  ['/rules/casus_belli/', { page: 'rules', game: 'casus_belli' }],
  ['/records', { page: 'records' }],
  ['/records/12', { page: 'nowhere' }],
  ['/new', { page: 'nowhere' }],
  ['/match/a/b', { page: 'nowhere' }],
  ['/match/%E0%A4%A', { page: 'match', id: '%E0%A4%A' }],
  ['/somewhere/else', { page: 'nowhere' }],
])('%s', (path, route) => expect(parse(path)).toEqual(route));
