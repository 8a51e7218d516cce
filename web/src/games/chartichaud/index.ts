// Chartichaud: gold, soldiers and fog in a field of artichokes.

import type { GamePages } from '$lib/board/contract';
import Board from './Board.svelte';
import Editor from './Editor.svelte';
import Panel from './Panel.svelte';
import { tutorial } from './tutorial';

export default { Board, Panel, Editor, tutorial, accent: { light: '#4d6b1f', dark: '#a9cc6a' } } satisfies GamePages;
