// Casus Belli's pages: parchment and steel.
import type { GamePages } from '$lib/board/contract';
import Board from './Board.svelte';

export default { Board, accent: { light: '#4d5b69', dark: '#a9bccd' } } satisfies GamePages;
