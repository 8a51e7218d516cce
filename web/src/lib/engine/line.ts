// The line that a search expects, as players/line.py walks it: on a world of its own, and whatever the search left behind
// is checked before it is played. Texts come from the server; here a line is numbers, the dice among them.

import type { Rows } from './engine';
import { CHANCE, NOBODY, type Rules, type World } from './rules.ts';

export interface Ply {
  /** Who acts; -1: the dice. */
  seat: number;
  action: bigint;
}

/** How a tree is read: what it may begin with, what it holds below a position, and its most visited node. */
export interface TreeRead {
  first: bigint[];
  offered: (world: World, seat: number) => bigint[];
  child: (node: number, actions: bigint[]) => [number, bigint];
}

const own = (line: Ply[]) => line.filter(({ seat }) => seat !== CHANCE).length;

export class Lines {
  private readonly rules: Rules;
  private readonly state: Rows;
  private readonly random: Rows;

  constructor(rules: Rules) {
    this.rules = rules;
    this.state = rules.engine.rows('State');
    this.random = rules.random(0);
  }

  /** `best`, then what alpha-beta remembers for one position after the other. Dice fall as in the search. */
  ofTable(root: World, best: bigint, depth: number, expected: (key: bigint) => bigint): Ply[] {
    const { rules } = this;
    const world = this.copyOf(root);
    const most = Math.min(depth, rules.engine.about.judging.longestLine);
    const line: Ply[] = [];
    for (let action = best; this.plays(world, rules.turn(world), action, line); ) {
      while (rules.turn(world) === CHANCE) {
        rules.seed(this.random, rules.key(world));
        this.plays(world, CHANCE, rules.roll(world, this.random), line);
      }
      if (own(line) >= most || rules.turn(world) === NOBODY) break;
      action = expected(rules.key(world));
    }
    return line;
  }

  /** The most visited path of a tree. */
  ofTree(root: World, thinker: number, tree: TreeRead, dice: Rows): Ply[] {
    const { rules } = this;
    const { longestLine, rolls } = rules.engine.about.judging;
    const world = this.copyOf(root);
    const line: Ply[] = [];
    let node = 0;
    while (own(line) < longestLine) {
      let seat = rules.turn(world);
      if (seat === NOBODY) break;
      if (seat !== CHANCE && rules.toAct(world, thinker)) seat = thinker; // others may be asked at the same time
      let action: bigint;
      if (seat === CHANCE) {
        const thrown = Array.from({ length: rolls }, () => rules.roll(world, dice));
        const byOutcome = new Map(thrown.map((roll) => [rules.chanceOutcome(world, roll), roll]));
        let outcome: bigint;
        [node, outcome] = tree.child(node, [...byOutcome.keys()]);
        action = byOutcome.get(outcome) ?? 0n;
      } else {
        [node, action] = tree.child(node, own(line) ? tree.offered(world, seat) : tree.first);
      }
      if (node === 0 || !this.plays(world, seat, action, line)) break;
    }
    while (line.at(-1)?.seat === CHANCE) line.pop(); // nobody answers them
    return line;
  }

  private copyOf(root: World): World {
    this.rules.engine.put(this.state, root.state);
    return { terms: root.terms, state: this.state };
  }

  private plays(world: World, seat: number, action: bigint, line: Ply[]): boolean {
    if (action < 0n || this.rules.check(world, seat, action) !== 0) return false;
    this.rules.apply(world, seat, action);
    line.push({ seat, action });
    return true;
  }
}
