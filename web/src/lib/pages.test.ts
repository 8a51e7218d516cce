// A game's folder has the same shape everywhere: docs/technical/pages.md lists it. What is named like one of these is it.

import { expect, test } from 'vitest';

const FILES = Object.keys(import.meta.glob('../games/*/*'));
const GAMES = [...new Set(FILES.map((file) => file.split('/')[2]!))].filter((game) => game !== 'generic');
const COMPONENTS = ['Board', 'Panel', 'Editor'];
/** What a file may be that is no component, style sheet or test. */
const CONCEPTS = [
  ...['index.ts', 'accent.ts', 'shown.ts', 'words.ts', 'tutorial.ts', 'rules.json', 'facts.json'],
  ...['notation.ts', 'drawing.ts', 'setup.ts', 'choice.svelte.ts', 'stage.svelte.ts', 'story.ts', 'teams.ts'],
];

const of = (game: string) => FILES.filter((file) => file.split('/')[2] === game).map((file) => file.split('/')[3]!);

test.each(GAMES)('%s has the shape of all', (game) => {
  const files = of(game);
  expect(files).toEqual(expect.arrayContaining(['index.ts', 'accent.ts', 'shown.ts', 'words.ts', 'Board.svelte']));
  const odd = files.filter((file) => /\.(ts|json)$/.test(file) && !/\.test\.ts$/.test(file) && !CONCEPTS.includes(file));
  expect(odd).toEqual([]);
  if (files.includes('Editor.svelte')) expect(files).toContain('setup.ts');
});

test.each(GAMES)('the default of %s is its components and what the shell reads of them', async (game) => {
  const { default: pages } = (await import(`../games/${game}/index.ts`)) as { default: Record<string, unknown> };
  const there = of(game);
  for (const name of COMPONENTS) expect(name in pages, name).toBe(there.includes(`${name}.svelte`));
  expect('tutorial' in pages).toBe(there.includes('tutorial.ts'));
});
