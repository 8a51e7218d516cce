// Khet's pages: laser chess on sandstone.
import type { GamePages, StoryEvent } from '$lib/board/contract';
import { ends } from '$lib/board/last';
import { CIRCLE, OCTAGON } from '$lib/match/marks';
import Board from './Board.svelte';
import Editor from './Editor.svelte';
import Panel from './Panel.svelte';
import { tutorial } from './tutorial';

export default {
  Board,
  Panel,
  Editor,
  tutorial,
  colours: [
    { light: '#8fa1b3', dark: '#9fb2c6' },
    { light: '#c81f2d', dark: '#e0404a' },
  ],
  shapes: [OCTAGON, CIRCLE],
  opposite: true,
  score: () => null,
  last: (story: StoryEvent[]) => ends(story.findLast(({ kind }) => kind === 'moved' || kind === 'turned')),
  aspect: 0.92,
} satisfies GamePages;
