// Garden Tensions: its pages.

import type { GamePages, StoryEvent } from '$lib/board/contract';
import { pairsOfTurn } from '$lib/board/last';
import Board from './Board.svelte';
import Editor from './Editor.svelte';
import Panel from './Panel.svelte';
import { tutorial } from './tutorial';
import { scored } from './words';

// On a phone the bar stands under the garden, so the board is about as high as wide.
export default {
  Board,
  Panel,
  Editor,
  tutorial,
  last: (story: StoryEvent[]) => pairsOfTurn(story, ['entered', 'attacked', 'used', 'placed'], 'passed'),
  score: scored,
  aspect: 1,
} satisfies GamePages;
