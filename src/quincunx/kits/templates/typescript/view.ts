// What the bot knows when it is to act. There is nothing to change here.

export interface View {
  game: string;
  options: Record<string, string | number | boolean>; // of the match
  lists_all: boolean; // false: other actions of the notation than the listed ones are legal, too
  seat: number; // yours, from 0
  first: boolean; // the first choice of a match: forget what you remember
  shown: any; // what you see of the game
  legal: string[]; // the actions that you may play now
  story: any[]; // what happened since the last view
  clock: number | null; // your milliseconds, if there is a clock
}

export function greeted(welcome: any): View {
  const { game, options = {}, lists_all = true, yours } = welcome;
  return { game, options, lists_all, seat: yours[0], first: true, shown: {}, legal: [], story: [], clock: null };
}

export function see(view: View, update: any): void {
  view.shown = update.shown;
  view.legal = update.legal;
  view.story = update.story ?? [];
  view.clock = update.clocks?.[view.seat] ?? null;
}
