// What the bot knows when it is to act. There is nothing to change here.

export class View {
  constructor(welcome) {
    this.game = welcome.game;
    this.options = welcome.options ?? {}; // of the match
    this.lists_all = welcome.lists_all ?? true; // false: other actions of the notation than the listed ones are legal, too
    this.seat = welcome.yours[0]; // yours, from 0
    this.first = true; // the first choice of a match: forget what you remember
  }

  see(update) {
    this.shown = update.shown; // what you see of the game
    this.legal = update.legal; // the actions that you may play now
    this.story = update.story ?? []; // what happened since the last view
    this.clock = update.clocks?.[this.seat] ?? null; // your milliseconds, if there is a clock
  }
}
