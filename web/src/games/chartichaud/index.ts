// Chartichaud: gold, soldiers and fog in a field of artichokes.

import type { GamePages, StoryEvent } from '$lib/board/contract';
import { pairsOfTurn } from '$lib/board/last';
import { CIRCLE, SQUARE } from '$lib/match/marks';
import Board from './Board.svelte';
import Editor from './Editor.svelte';
import Panel from './Panel.svelte';
import { tutorial } from './tutorial';
import { read } from './notation';
import { scored } from './words';

// On a phone the scores and the orders stand above and below the map: the board is taller than wide.
export default {
  Board, Panel, Editor, tutorial,
  shapes: [CIRCLE, SQUARE],
  last: (story: StoryEvent[]) => pairsOfTurn(story, ['moved', 'came', 'made', 'fought'], 'ended'),
  cells: (action: string) => [read(action)?.cell, read(action)?.to].filter((cell) => cell != null),
  score: scored,
  aspect: 0.55,
} satisfies GamePages;
