// The player that searches with alpha-beta, as players/alphabeta.py drives it, with one thread.

import type { Engine, Rows } from './engine';
import type { Outlook, Rules, World } from './rules';

export interface Thought {
  action: bigint;
  nodes: number;
  depth: number;
  /** In the units of the game's evaluation; null where not even one action was looked at to the end. */
  value: number | null;
}

export interface Budget {
  nodes?: number;
  depth?: number;
}

const WITHOUT_END = 1n << 62n;

export class AlphaBeta {
  private readonly rules: Rules;
  private readonly engine: Engine;
  private readonly budget: Budget;
  private readonly contempt: number;
  private readonly stack: Rows;
  private readonly moves: Rows;
  private readonly marks: Rows;
  private readonly search: Rows;
  private readonly habits: Rows;
  private readonly table: Rows;
  private readonly root: Rows;
  private readonly random: Rows;
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
    this.search = engine.rows('Search');
    this.habits = engine.rows('Habits');
    this.root = engine.rows('State');
    const slots = ((megabytes ?? numbers.megabytes) * 2 ** 20) / (structures.Slot?.size ?? 1);
    this.table = engine.rows('Slot', 2 ** Math.floor(Math.log2(slots)));
    this.random = rules.random(seed);
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
    let thought: Thought = { action: actions[0] as bigint, nodes: 0, depth: 0, value: null };
    for (let depth = 1; depth <= last; depth++) {
      const value = this.deepen(outlook.terms, thought.value ?? 0, depth);
      const action = engine.get(search, 'best') as bigint;
      if (engine.get(search, 'stop') && depth === 1) return { ...thought, action };
      thought = { action, nodes: Number(engine.get(search, 'nodes')), depth, value };
      const stopped = engine.get(search, 'stop');
      told(thought);
      if (stopped || Math.abs(value) >= win + maxPly - depth) break; // nothing quicker is left to be found
    }
    return thought;
  }

  private deepen(terms: Rows, guess: number, depth: number): number {
    const { stack, moves, marks, table, search, habits } = this;
    const room = [terms, stack, moves, marks, table, search, habits, this.rules.silent] as const;
    return Number(this.engine.count('aspiration_search', ...room, guess, depth));
  }

  /** Slots know the search that wrote them; when its numbers are used up, they and the table begin anew. */
  private growOlder(): void {
    if (this.age >= this.engine.about.alphabeta.ages) {
      this.engine.clear(this.table);
      this.age = 0;
      this.since = 1;
    }
    this.age += 1;
  }

  private makeReady(seat: number, first: bigint): void {
    const { engine, search } = this;
    engine.clear(search);
    engine.set(search, 'seat', seat);
    engine.set(search, 'best', first);
    engine.set(search, 'most_nodes', this.budget.nodes ?? WITHOUT_END);
    engine.put(this.stack, this.root);
    engine.call('begin_search', this.habits, this.age, this.since, this.contempt);
  }
}
