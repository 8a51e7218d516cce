// The player of Monte Carlo tree search, as players/mcts.py drives it.

import type { Engine, Rows } from './engine';
import { Lines, type Ply } from './line.ts';
import type { Outlook, Rules, World } from './rules';

export interface Told {
  rounds: number;
  /** Milliseconds since the thought began. */
  passed: number;
}

/** What it thinks of the action that it tried most, or of the one that it chose. */
export interface Tried {
  action: bigint;
  /** The share of games won; null where none was played. */
  value: number | null;
  proven: boolean;
  rounds: number;
  line: Ply[];
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
  /** Milliseconds of the next thought. */
  time: number | undefined;
  private readonly slots: Rows;
  private readonly states: Rows;
  private readonly out: Rows;
  private readonly marks: Rows;
  private readonly random: Rows;
  private readonly dice: Rows;
  private readonly root: Rows;
  private readonly lines: Lines;

  /** Without a number of `simulations`, or of milliseconds, it thinks until `told` says stop. */
  constructor(rules: Rules, seed: number | bigint, simulations?: number, time?: number) {
    const { engine } = rules;
    const { mcts: numbers, maxLegal } = engine.about;
    const size = simulations === undefined ? numbers.nodes : Math.min(numbers.nodes, 2 * simulations + 2);
    this.rules = rules;
    this.engine = engine;
    this.simulations = simulations;
    this.time = time;
    this.tree = engine.rows('Tree');
    this.nodes = engine.rows('Node', size);
    this.slots = engine.ints(2 ** (Math.floor(Math.log2(2 * size)) + 1));
    this.states = engine.rows('State', 2);
    this.out = engine.ints(maxLegal);
    this.marks = engine.ints(maxLegal);
    this.random = rules.random(seed);
    this.dice = rules.random(0);
    this.root = engine.rows('State');
    this.lines = new Lines(rules);
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
    engine.call('plant', tree, this.nodes, this.slots, outlook.seat, engine.deadline(this.time));
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

  tried(outlook: Outlook, chosen?: bigint): Tried {
    const { engine, rules, dice, nodes } = this;
    rules.seed(dice, 0); // not those of the search: to be heard changes nothing
    rules.imagine(outlook, dice, this.root);
    const world: World = { terms: outlook.terms, state: this.root };
    const first = chosen === undefined ? this.offered(world, outlook.seat) : [chosen];
    const [node, action] = this.child(0, first);
    const visits = Number(engine.get(nodes, 'visits', node));
    const proven = Number(engine.get(nodes, 'proven', node));
    const value = proven ? (1 + proven) / 2 : visits ? Number(engine.get(nodes, 'value', node)) / visits : null;
    const read = {
      first,
      offered: (at: World, seat: number) => this.offered(at, seat),
      child: (below: number, actions: bigint[]) => this.child(below, actions),
    };
    const line = this.lines.ofTree(world, outlook.seat, read, dice);
    const rounds = Number(engine.get(this.tree, 'rounds'));
    return { action: node ? action : (first[0] as bigint), value, proven: proven !== 0, rounds, line };
  }

  private offered({ terms, state }: World, seat: number): bigint[] {
    return this.engine.numbers(this.out, Number(this.engine.count('offers', terms, state, seat, this.out)));
  }

  /** The most visited node below one, among those that these actions lead to, and its action; or 0. */
  private child(node: number, actions: bigint[]): [number, bigint] {
    const { engine, nodes, out } = this;
    engine.write64(out, actions);
    const found = Number(engine.count('most_visited', nodes, this.slots, node, out, actions.length));
    return [found, found ? (engine.get(nodes, 'action', found) as bigint) : 0n];
  }

  /** Goes on for some rounds; the action when all are done, less than 0 before. */
  private think({ terms, view }: Outlook, pause: bigint): bigint {
    const { engine, states, random, tree, nodes, slots, out, marks } = this;
    engine.set(tree, 'pause', pause);
    const room = [states, random, tree, nodes, slots, out, marks, this.rules.silent] as const;
    return engine.count('think_mcts', terms, view, ...room);
  }
}
