// Whoever plays a game best, for as long as one likes, and what it thinks of a position or of a move: what
// players/analysis.py does on the server, on the same scale, the chance to win.

import { AlphaBeta } from './alphabeta.ts';
import type { Description } from './description';
import type { Rows } from './engine';
import type { Ply } from './line';
import { Mcts } from './mcts.ts';
import { CHANCE, NOBODY, type Outlook, type Rules, type World } from './rules.ts';

export interface Opinion {
  action: bigint;
  /** Of the seat that is to act, from 0 to 1. */
  chance: number;
  proven: boolean;
  line: Ply[];
  depth: number;
  /** Actions played in thought, or simulations. */
  nodes: number;
}

export interface Judged {
  best: Opinion;
  /** The seat's chance after its own move; null where nobody can say. */
  after: number | null;
}

/** A value, in the units of the player that found it, as the chance to win. */
export function chance(about: Description, value: number | null): number {
  if (value === null) return 0.5;
  if (about.adviser === 'mcts') return Math.max(0, Math.min(1, value));
  if (Math.abs(value) >= about.alphabeta.win) return value > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(Math.max(-600, Math.min(600, (-Math.LN10 * value) / about.judging.steep))));
}

export class Adviser {
  private readonly rules: Rules;
  private readonly player: AlphaBeta | Mcts;
  private readonly imagined: World;
  private readonly next: Outlook;
  private readonly generators: Rows[] = [];

  constructor(rules: Rules) {
    const { about } = rules.engine;
    this.rules = rules;
    this.player = about.adviser === 'mcts' ? new Mcts(rules, 0) : new AlphaBeta(rules, 0, {});
    this.imagined = rules.newWorld();
    this.next = rules.newOutlook(this.imagined.terms);
  }

  /** `told` hears how it goes; after `time` milliseconds it comes to an end. */
  think(outlook: Outlook, time: number, told: (opinion: Opinion) => void = () => {}): Opinion {
    const { player, rules } = this;
    const { about } = rules.engine;
    if (player instanceof Mcts) {
      player.time = time;
      const said = (chosen?: bigint): Opinion => {
        const { rounds, value, ...rest } = player.tried(outlook, chosen);
        return { ...rest, chance: chance(about, value), depth: rest.line.length, nodes: rounds };
      };
      return said(player.choose(outlook, () => told(said())));
    }
    player.budget = { time };
    let line: Ply[] = [];
    const said = (thought: Parameters<AlphaBeta['line']>[1]): Opinion => {
      const found = player.line(outlook.terms, thought);
      const shorter = found.every((ply, k) => ply.action === line[k]?.action);
      if (!shorter) line = found; // the table forgets
      return { ...thought, line, chance: chance(about, thought.value) };
    };
    return said(player.choose(outlook, (thought) => told(said(thought))));
  }

  /** What the seat could have had, and what it has after `action`: on worlds that it can think of, if dice fall. */
  judge(outlook: Outlook, action: bigint, time: number): Judged {
    const best = this.think(outlook, time);
    if (action === best.action) return { best, after: best.chance };
    const chances: number[] = [];
    for (let k = 0; k < this.rules.engine.about.judging.worlds; k++) {
      const found = this.after(outlook, action, k, time);
      if (found !== null) chances.push(found);
    }
    return { best, after: chances.length ? chances.reduce((sum, each) => sum + each, 0) / chances.length : null };
  }

  private after(outlook: Outlook, action: bigint, k: number, time: number): number | null {
    const { rules, imagined, next } = this;
    const random = this.dice(k);
    rules.engine.put(imagined.terms, outlook.terms);
    rules.imagine(outlook, random, imagined.state);
    if (rules.check(imagined, outlook.seat, action) !== 0) return null;
    rules.apply(imagined, outlook.seat, action);
    while (rules.turn(imagined) === CHANCE) rules.apply(imagined, CHANCE, rules.roll(imagined, random));
    const turn = rules.turn(imagined);
    if (turn === NOBODY) return this.ended(outlook.seat);
    rules.observe(imagined, turn, next);
    const found = this.think(next, time).chance;
    return turn === outlook.seat ? found : 1 - found;
  }

  private ended(seat: number): number {
    const scores = this.rules.scores(this.imagined);
    const mine = scores[seat] as bigint;
    const others = scores.filter((_, n) => n !== seat);
    return others.reduce((sum, theirs) => sum + (mine > theirs ? 1 : mine === theirs ? 0.5 : 0), 0) / others.length;
  }

  /** Room is kept for ever: each world has its generator, and begins with the same seed. */
  private dice(k: number): Rows {
    const random = (this.generators[k] ??= this.rules.random(k));
    this.rules.seed(random, k);
    return random;
  }
}
