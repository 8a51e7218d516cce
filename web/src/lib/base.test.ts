import { expect, test } from 'vitest';
import { at, within } from './base';

const SOURCES = import.meta.glob<string>(['/src/**/*.svelte', '/src/**/*.ts', '!/src/**/*.test.ts', '!/src/lib/api/schema.d.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('at the root nothing is put before a path', () => expect(at('/match/1')).toBe('/match/1'));

test.each([
  ['/games/match/1', '/games', '/match/1'],
  ['/games', '/games', '/'],
  ['/games/', '/games', '/'],
  ['/gamesome', '/games', '/gamesome'],
  ['/match/1', '', '/match/1'],
])('%s below %s is %s', (path, base, inside) => expect(within(path, base)).toBe(inside));

test('no link, picture or address forgets where the site lies', () => {
  const bare = /(?:href|src)=(?:"\/|\{`\/|\{'\/)|(?:replaceState|pushState)\([^a)]*[`']\/|\$\{location\.(?:origin|host)[^}]*\}\//;
  const found = Object.entries(SOURCES).flatMap(([file, text]) =>
    text.split('\n').flatMap((line, n) => (bare.test(line) ? [`${file}:${n + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
