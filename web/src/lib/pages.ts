// The pages of each game, loaded when they are needed. A game without a folder here has the generic board.

import type { GamePages } from '$lib/board/contract';

const folders = import.meta.glob<{ default: GamePages }>('../games/*/index.ts');

export function hasPages(game: string): boolean {
  return `../games/${game}/index.ts` in folders;
}

const loaded = new Map<string, Promise<GamePages>>();

export function pagesOf(game: string): Promise<GamePages> {
  const file = `../games/${hasPages(game) ? game : 'generic'}/index.ts`;
  if (!loaded.has(file)) loaded.set(file, folders[file]!().then((module) => module.default));
  return loaded.get(file)!;
}

const accents = import.meta.glob<{ light: string; dark: string; place?: number }>('../games/*/accent.ts', { eager: true, import: 'default' });

/** The colour of a game, known before its pages are: `style:--accent={accentOf(…)}`. */
export function accentOf(game: string, dark: boolean): string {
  const found = accents[`../games/${game}/accent.ts`] ?? accents['../games/generic/accent.ts']!;
  return found[dark ? 'dark' : 'light'];
}

/** Where a game stands in lists; those that say nothing come last, as the server lists them. */
export function placeOf(game: string): number {
  return accents[`../games/${game}/accent.ts`]?.place ?? Number.MAX_SAFE_INTEGER;
}
