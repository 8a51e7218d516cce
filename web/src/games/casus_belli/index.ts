// Casus Belli's pages: parchment and steel.
import type { GamePages, StoryEvent } from '$lib/board/contract';
import { pairsOfTurn } from '$lib/board/last';
import Board from './Board.svelte';
import Editor from './Editor.svelte';
import Panel from './Panel.svelte';
import { tutorial } from './tutorial';
import { cellsOf } from './notation';
import { SHAPES } from './teams';
import { scored, tally } from './words';

export default {
  Board, Panel, Editor, tutorial,
  cells: cellsOf,
  shapes: SHAPES,
  last: (story: StoryEvent[]) => pairsOfTurn(story, ['walked', 'hit', 'died'], 'turn'),
  score: scored,
  tally,
  aspect: 0.63,
} satisfies GamePages;
