// The last move as boards mark it. It comes from the story and from nothing else: so it is there after a reload, for
// who watches, and wherever one jumps in a replay.

import type { GamePages, StoryEvent } from './contract';

/** The cells of the latest move in all that was told so far. */
export function lastMove(pages: Pick<GamePages, 'last'>, story: StoryEvent[]): string[] {
  return pages.last ? pages.last(story) : ends(story.findLast(({ cells }) => cells.length));
}

/** Where something began, and where it ended if that is elsewhere. */
export function ends(event: StoryEvent | undefined): string[] {
  return [...new Set(event?.cells.length ? [event.cells[0]!, event.cells.at(-1)!] : [])];
}

/** Where turns have many actions: of the latest in which any of these happened, the first and last cell of each. */
export function pairsOfTurn(story: StoryEvent[], kinds: string[], end: string): string[] {
  const counts = ({ kind, cells }: StoryEvent) => kinds.includes(kind) && cells.length > 0;
  const last = story.findLastIndex(counts);
  const before = story.slice(0, last + 1).findLastIndex(({ kind }) => kind === end);
  return story
    .slice(before + 1, last + 1)
    .filter(counts)
    .flatMap(({ cells }) => [cells[0]!, cells.at(-1)!]);
}

/** What `pairsOfTurn` put one after the other, each pair once. */
export function pairs(last: string[]): [string, string][] {
  const found = new Map<string, [string, string]>();
  for (let n = 0; n + 1 < last.length; n += 2) found.set(`${last[n]} ${last[n + 1]}`, [last[n]!, last[n + 1]!]);
  return [...found.values()];
}
