// Connect Four's pages: the smallest complete set. Begin a game of your own by copying this folder.
import type { GamePages } from '$lib/board/contract';
import Board from './Board.svelte';
import { tutorial } from './tutorial';

export default { Board, tutorial, aspect: 0.8, accent: { light: '#1d6a78', dark: '#6fcbd9' } } satisfies GamePages;
