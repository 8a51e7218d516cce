// The player that searches with alpha-beta, as players/alphabeta.py drives it, with one thread.

import type { Engine, Rows } from './engine';
import { Lines, type Ply } from './line.ts';
import type { Outlook, Rules, World } from './rules';

export interface Thought {
  action: bigint;
  nodes: number;
  depth: number;
  /** In the units of the game's evaluation; null where not even one action was looked at to the end. */
  value: number | null;
  /** A win, a loss or a draw that nothing can change. */
  proven: boolean;
}

export interface Budget {
  nodes?: number;
  depth?: number;
  /** Milliseconds of a thought. */
  time?: number;
}

const WITHOUT_END = 1n << 62n;
const NO_ACTION = -1n;
const EXACT = 0n;

/** One after the other; where the game ends soon enough, from two thirds of what is left of it to all of it. */
function* depths(left: number, deepest: number): Generator<number> {
  for (let depth = 1; depth <= deepest; depth++) {
    if (left <= deepest && 3 * depth > 2 * left) {
      yield left;
      return;
    }
    yield depth;
  }
}

export class AlphaBeta {
  private readonly rules: Rules;
  private readonly engine: Engine;
  /** Of the next thought. */
  budget: Budget;
  private readonly contempt: number;
  private readonly stack: Rows;
  private readonly moves: Rows;
  private readonly marks: Rows;
  private readonly search: Rows;
  private readonly table: Rows;
  private readonly root: Rows;
  private readonly random: Rows;
  private readonly lines: Lines;
  private age: number;
  private since = 0;

  constructor(rules: Rules, seed: number | bigint, budget: Budget, megabytes?: number, contempt?: number) {
    const { engine } = rules;
    const { alphabeta: numbers, structures, maxLegal } = engine.about;
    const plies = numbers.maxPly + 1;
    this.rules = rules;
    this.engine = engine;
    this.budget = budget;
    this.contempt = contempt ?? numbers.contempt;
    this.stack = engine.rows('State', plies);
    this.moves = engine.grid(plies, maxLegal);
    this.marks = engine.grid(plies, maxLegal);
    this.search = engine.rows('Worker');
    this.root = engine.rows('State');
    const entries = ((megabytes ?? numbers.megabytes) * 2 ** 20) / (structures.Entry?.size ?? 1);
    this.table = engine.rows('Entry', 2 ** Math.floor(Math.log2(entries)));
    this.random = rules.random(seed);
    this.lines = new Lines(rules);
    this.age = numbers.ages;
    this.begin(seed);
  }

  /** Another match: what the table holds of this one is not believed. */
  begin(seed: number | bigint): void {
    this.rules.seed(this.random, seed);
    this.since = this.age + 1;
  }

  /** Where one byte that is not 0 ends a search: for a thread that shares the memory. */
  get flag(): number {
    return this.engine.place(this.search, 'stop');
  }

  /** Ends the search after the depth that is told. */
  stop(): void {
    this.engine.set(this.search, 'stop', 1);
  }

  /** `told` hears of every depth, and may call `stop`. */
  choose(outlook: Outlook, told: (thought: Thought) => void = () => {}): Thought {
    const { engine, rules, search } = this;
    this.growOlder();
    rules.imagine(outlook, this.random, this.root);
    const world: World = { terms: outlook.terms, state: this.root };
    const actions = rules.legal(world, outlook.seat);
    this.makeReady(outlook.seat, actions[0] as bigint);
    const { win, maxPly, deepest } = engine.about.alphabeta;
    const last = actions.length > 1 ? Math.min(this.budget.depth ?? deepest, deepest) : 1;
    let thought: Thought = { action: actions[0] as bigint, nodes: 0, depth: 0, value: null, proven: false };
    let value = 0;
    const left = Number(engine.count('plies_left', outlook.terms, this.stack));
    for (const depth of depths(left, last)) {
      value = this.deepen(outlook.terms, value, depth);
      const action = engine.get(search, 'best') as bigint;
      const stopped = !!engine.get(search, 'stop');
      const nodes = Number(engine.get(search, 'nodes'));
      if (stopped && depth === 1) return { ...thought, action, nodes };
      const covered = depth >= left && !stopped; // nothing was left out: what is no win and no loss is a draw
      const proven = covered || value >= win || (value <= -win && !stopped);
      const said = covered && Math.abs(value) < win ? 0 : value;
      thought = { action, nodes, depth, value: said, proven };
      told(thought);
      if (stopped || covered || Math.abs(value) >= win + maxPly - depth) break; // nothing quicker is left to be found
    }
    return thought;
  }

  /** How it expects the game to go on after its last thought. */
  line(terms: Rows, { action, depth }: Thought): Ply[] {
    return this.lines.ofTable({ terms, state: this.root }, action, depth, (key) => this.expected(key));
  }

  /** What the table knows for certain of a position. */
  private expected(key: bigint): bigint {
    const { engine, table } = this;
    const first = Number(key & BigInt((table.lengths[0] ?? 1) - 1));
    for (const place of [first, first ^ 1]) {
      const [check, action, found] = ['check', 'action', 'found'].map((name) => engine.get(table, name, place) as bigint) as
        [bigint, bigint, bigint];
      if ((check ^ action ^ found) === key && ((found >> 10n) & 0x3fffn) >= BigInt(this.since))
        return (found & 3n) === EXACT ? action : NO_ACTION;
    }
    return NO_ACTION;
  }

  private deepen(terms: Rows, guess: number, depth: number): number {
    const { stack, moves, marks, table, search } = this;
    const room = [terms, stack, moves, marks, table, search, this.rules.silent] as const;
    return Number(this.engine.count('aspiration_search', ...room, guess, depth));
  }

  /** Entries know the search that wrote them; when its numbers are used up, they and the table begin anew. */
  private growOlder(): void {
    if (this.age >= this.engine.about.alphabeta.ages) {
      this.engine.clear(this.table);
      this.age = 0;
      this.since = 1;
    }
    this.age += 1;
  }

  private makeReady(seat: number, first: bigint): void {
    const { engine, search, age, since, contempt } = this;
    engine.put(this.stack, this.root);
    const { nodes, time } = this.budget;
    const limits = [nodes ?? WITHOUT_END, engine.deadline(time)] as const;
    engine.call('begin_search', search, seat, first, ...limits, age, since, contempt);
  }
}
