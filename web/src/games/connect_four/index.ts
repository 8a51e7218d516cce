// Connect Four's pages: the smallest complete set. Begin a game of your own by copying this folder.
import type { GamePages, StoryEvent } from '$lib/board/contract';
import { ends } from '$lib/board/last';
import { CIRCLE, STAR } from '$lib/match/marks';
import Board from './Board.svelte';
import { tutorial } from './tutorial';

export default {
  Board,
  tutorial,
  cells: (column, { columns }: { columns: number[][] }) => [
    column + ((columns['abcdefg'.indexOf(column)]?.length ?? 0) + 1),
  ],
  shapes: [CIRCLE, STAR],
  turns: false, // a rack stands upright: there is no other side to sit on
  last: (story: StoryEvent[]) => ends(story.findLast(({ kind }) => kind === 'fell')),
  score: () => null,
  aspect: 0.87,
  // yellow and red, as the rules call them
  colours: [
    { light: '#e3ab0a', dark: '#f7ce46' },
    { light: '#c8322b', dark: '#f0645a' },
  ],
} satisfies GamePages;
