// Garden Tensions: its pages.

import type { GamePages } from '$lib/board/contract';
import Board from './Board.svelte';
import Panel from './Panel.svelte';

export default { Board, Panel, accent: { light: '#2f6f3e', dark: '#8fd08a' } } satisfies GamePages;
