// The player of Monte Carlo tree search, as players/mcts.py drives it.

import type { Engine, Rows } from './engine';
import type { Outlook, Rules } from './rules';

export interface Told {
  rounds: number;
  /** Milliseconds since the thought began. */
  passed: number;
}

const WITHOUT_END = 1n << 62n;
const EVERY = 200; // milliseconds between two reports
const FIRST_SLICE = 8; // rounds before it knows how fast it is

export class Mcts {
  readonly tree: Rows;
  readonly nodes: Rows;
  private readonly rules: Rules;
  private readonly engine: Engine;
  private readonly simulations: number | undefined;
  private readonly slots: Rows;
  private readonly states: Rows;
  private readonly out: Rows;
  private readonly marks: Rows;
  private readonly random: Rows;

  /** Without a number of `simulations` it thinks until `told` says stop. */
  constructor(rules: Rules, seed: number | bigint, simulations?: number) {
    const { engine } = rules;
    const { mcts: numbers, maxLegal } = engine.about;
    const size = simulations === undefined ? numbers.nodes : Math.min(numbers.nodes, 2 * simulations + 2);
    this.rules = rules;
    this.engine = engine;
    this.simulations = simulations;
    this.tree = engine.rows('Tree');
    this.nodes = engine.rows('Node', size);
    this.slots = engine.ints(2 ** (Math.floor(Math.log2(2 * size)) + 1));
    this.states = engine.rows('State', 2);
    this.out = engine.ints(maxLegal);
    this.marks = engine.ints(maxLegal);
    this.random = rules.random(seed);
  }

  begin(seed: number | bigint): void {
    this.rules.seed(this.random, seed);
  }

  /** Where one byte that is not 0 ends a search: for a thread that shares the memory. */
  get flag(): number {
    return this.engine.place(this.tree, 'stop');
  }

  stop(): void {
    this.engine.set(this.tree, 'stop', 1);
  }

  /** `told` hears how it goes a few times a second, and may call `stop`. */
  choose(outlook: Outlook, told?: (how: Told) => void): bigint {
    const { engine, tree } = this;
    engine.call('plant', tree, this.nodes, this.slots, outlook.seat);
    for (const [name, habit] of Object.entries(engine.about.mcts.habits)) engine.set(tree, name, habit);
    engine.set(tree, 'most_rounds', this.simulations ?? WITHOUT_END);
    const begun = performance.now();
    let portion = FIRST_SLICE;
    let rounds = 0;
    let last = 0;
    for (;;) {
      const action = this.think(outlook, told ? BigInt(rounds + portion) : WITHOUT_END);
      if (action >= 0n || !told) return action;
      const passed = performance.now() - begun;
      rounds = Number(engine.get(tree, 'rounds'));
      portion = Math.min(8 * portion, Math.max(1, Math.floor((EVERY * rounds) / Math.max(passed, 0.001))));
      if (passed - last >= EVERY) {
        last = passed;
        told({ rounds, passed });
      }
    }
  }

  /** Goes on for some rounds; the action when all are done, less than 0 before. */
  private think({ terms, view }: Outlook, pause: bigint): bigint {
    const { engine, states, random, tree, nodes, slots, out, marks } = this;
    engine.set(tree, 'pause', pause);
    const room = [states, random, tree, nodes, slots, out, marks, this.rules.silent] as const;
    return engine.count('think_mcts', terms, view, ...room);
  }
}
