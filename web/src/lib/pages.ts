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

/** The colours of each game, known before its pages are: the home page is coloured at once. */
export const ACCENTS: Record<string, { light: string; dark: string }> = {
  cultist: { light: '#5b3a8c', dark: '#b79af0' },
  khet: { light: '#9a3324', dark: '#f0937f' },
  chartichaud: { light: '#3f6b2b', dark: '#9fce80' },
  garden: { light: '#1f6f8b', dark: '#7fcbe6' },
  casus_belli: { light: '#6b4e1f', dark: '#d9b777' },
  connect_four: { light: '#1f4e9c', dark: '#8fb6f7' },
};
export const PLAIN = { light: '#7a4b12', dark: '#e0a55a' };

/** The folder's picture of the page: `style:--accent={accentOf(…)}`. */
export function accentOf(game: string, dark: boolean): string {
  return (ACCENTS[game] ?? PLAIN)[dark ? 'dark' : 'light'];
}
