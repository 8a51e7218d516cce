// The pages of a game that has none of its own: a grid of texts, and the notation box beside it.
import type { GamePages } from '$lib/board/contract';
import Board from './Board.svelte';

export default { Board } satisfies GamePages;
