// Cultist's pages: two cults by candlelight.
import type { GamePages, StoryEvent } from '$lib/board/contract';
import { ends } from '$lib/board/last';
import Board from './Board.svelte';
import Editor from './Editor.svelte';
import Panel from './Panel.svelte';
import { tutorial } from './tutorial';
import { cellsOf } from './notation';
import { scored } from './words';

const DEEDS = ['moved', 'shot', 'converted']; // what follows from them is not the move

// on a phone the board stands upright, 7 cells wide: its cells are twice as large as they would be lying
export default {
  Board, Panel, Editor, tutorial,
  cells: cellsOf,
  last: (story: StoryEvent[]) => ends(story.findLast(({ kind }) => DEEDS.includes(kind))),
  score: scored,
  aspect: 0.5,
} satisfies GamePages;
