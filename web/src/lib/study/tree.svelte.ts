// The tree of a study: node 0 is the start, every other one an action that was played in its parent. Pure but for the
// runes: the server says what may be played.

import type { StudyNode } from '$lib/api/client';

export interface Node {
  parent: number;
  action: string;
  name: string;
  /** Circles (`A1`) and arrows (`A1 B2`). */
  marks: string[];
}

const ROOT: Node = { parent: -1, action: '', name: '', marks: [] };

export class StudyTree {
  nodes = $state.raw<readonly Node[]>([ROOT]);
  at = $state(0);
  /** Grows with every change of what is kept: of where one looks it knows nothing. */
  changes = $state(0);

  static of(nodes: readonly StudyNode[]): StudyTree {
    const tree = new StudyTree();
    tree.nodes = nodes.map(({ parent, action, name = '', marks = [] }) => ({ parent, action, name, marks: [...marks] as string[] }));
    return tree;
  }

  /** A tree of one line. */
  static line(actions: readonly string[]): StudyTree {
    return StudyTree.of([ROOT, ...actions.map((action, k) => ({ parent: k, action }))]);
  }

  get here(): Node {
    return this.nodes[this.at] ?? ROOT;
  }

  children(of: number): number[] {
    return this.nodes.flatMap((node, n) => (n && node.parent === of ? [n] : []));
  }

  /** The nodes from the start to here, without the start. */
  trail(to = this.at): number[] {
    const found: number[] = [];
    for (let n = to; n > 0; n = this.nodes[n]!.parent) found.unshift(n);
    return found;
  }

  path(to = this.at): string[] {
    return this.trail(to).map((n) => this.nodes[n]!.action);
  }

  /** Goes on with an action: where it was played before, or on a new branch. */
  play(action: string): void {
    const known = this.children(this.at).find((n) => this.nodes[n]!.action === action);
    if (known === undefined) this.put([...this.nodes, { parent: this.at, action, name: '', marks: [] }]);
    this.at = known ?? this.nodes.length - 1;
  }

  /** Takes a branch out, with all that grows on it. */
  remove(branch: number): void {
    if (branch <= 0) return;
    const gone = new Set([branch]);
    this.nodes.forEach((node, n) => gone.has(node.parent) && gone.add(n));
    const stays = this.nodes.map((_, n) => n).filter((n) => !gone.has(n));
    const moved = new Map(stays.map((n, k) => [n, k]));
    const at = gone.has(this.at) ? this.nodes[branch]!.parent : this.at;
    this.put(stays.map((n) => ({ ...this.nodes[n]!, parent: moved.get(this.nodes[n]!.parent) ?? -1 })));
    this.at = moved.get(at) ?? 0;
  }

  rename(n: number, name: string): void {
    this.put(this.nodes.map((node, k) => (k === n ? { ...node, name } : node)));
  }

  /** Draws a mark here, or takes it away again. */
  mark(text: string): void {
    const { marks } = this.here;
    this.draw(marks.includes(text) ? marks.filter((each) => each !== text) : [...marks, text]);
  }

  draw(marks: string[]): void {
    this.put(this.nodes.map((node, k) => (k === this.at ? { ...node, marks } : node)));
  }

  back(): void {
    this.at = Math.max(0, this.here.parent);
  }

  forward(): void {
    this.at = this.children(this.at)[0] ?? this.at;
  }

  /** To the end of the line that one is on. */
  end(): void {
    for (let next = this.at; ; this.at = next) {
      const [first] = this.children(next);
      if (first === undefined) return void (this.at = next);
      next = first;
    }
  }

  /** To another branch from the same position. */
  aside(by: number): void {
    if (!this.at) return;
    const branches = this.children(this.here.parent);
    this.at = branches[(branches.indexOf(this.at) + by + branches.length) % branches.length] ?? this.at;
  }

  kept(): StudyNode[] {
    return this.nodes.map(({ parent, action, name, marks }) => ({ parent, action, name, marks }));
  }

  private put(nodes: readonly Node[]): void {
    this.nodes = nodes;
    this.changes++;
  }
}
