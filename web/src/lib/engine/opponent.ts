// A player of a level, as a worker of the server lets it think: players/alphabeta.py, players/mcts.py, players/simple.py
// from the same view and the same seed. What a level is, and what it overlooks, is said in numbers by offline/thinking.py.

import { chance } from './adviser';
import { AlphaBeta } from './alphabeta';
import type { Rows } from './engine';
import { Mcts } from './mcts';
import type { Outlook, Rules } from './rules';

export interface Task {
  player: 'alphabeta' | 'mcts' | 'greedy';
  /** Of 63 bits. */
  seed: string;
  /** Of nodes, or simulations; greedy: of a hundred actions, so many are looked at. */
  budget: number;
  /** Or seconds; 0: as long as the budget lasts. */
  time: number;
}

export interface Chosen {
  action: bigint;
  /** To win, as it sees it; null where it cannot tell. */
  chance: number | null;
}

/** Rooms are kept for ever, so each player is made once. */
export class Opponent {
  private readonly rules: Rules;
  private alphabeta: AlphaBeta | undefined;
  private readonly mcts = new Map<number, Mcts>();
  private greedy: { states: Rows; random: Rows; out: Rows } | undefined;

  constructor(rules: Rules) {
    this.rules = rules;
  }

  choose(outlook: Outlook, task: Task): Chosen {
    if (task.player === 'greedy') return { action: this.chooseGreedily(outlook, task), chance: null };
    const { about } = this.rules.engine;
    const [seed, time] = [BigInt(task.seed), task.time ? 1000 * task.time : undefined];
    if (task.player === 'alphabeta') {
      const player = (this.alphabeta ??= new AlphaBeta(this.rules, seed, {}));
      player.begin(seed);
      player.budget = time === undefined ? { nodes: task.budget } : { time };
      const { action, value } = player.choose(outlook);
      return { action, chance: value === null ? null : chance(about, value) };
    }
    const player = this.mcts.get(task.budget) ?? new Mcts(this.rules, seed, task.budget || undefined, time);
    this.mcts.set(task.budget, player);
    player.begin(seed);
    player.time = time;
    const action = player.choose(outlook);
    return { action, chance: player.tried(outlook, action).value };
  }

  private chooseGreedily(outlook: Outlook, { seed, budget }: Task): bigint {
    const { rules } = this;
    const { engine } = rules;
    const room = (this.greedy ??= {
      states: engine.rows('State', 2),
      random: engine.rows('Random', 2),
      out: engine.ints(engine.about.maxLegal),
    });
    engine.clear(room.random);
    rules.seed(room.random, BigInt(seed));
    rules.imagine(outlook, room.random, room.states);
    return engine.count('think_greedy', outlook.terms, room.states, outlook.seat, room.random, room.out, rules.silent, budget);
  }
}
