// Garden Tensions: its pages.

import type { GamePages } from '$lib/board/contract';
import Board from './Board.svelte';
import Editor from './Editor.svelte';
import Panel from './Panel.svelte';
import { tutorial } from './tutorial';

export { default as Prologue } from './Prologue.svelte';

export default { Board, Panel, Editor, tutorial, accent: { light: '#2f6f3e', dark: '#8fd08a' } } satisfies GamePages;
