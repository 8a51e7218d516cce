// A study on the screen: where it starts, its tree, the position that is looked at, and whether all of it is kept. Every
// position comes from the server, which plays the actions that lead to it; what was seen once is not asked for again.

import { api, Problem, wordsOf, type GameShown, type Listed, type Place, type Placed, type Start } from '$lib/api/client';
import { at as onSite } from '$lib/base';
import type { Words } from '$lib/board/contract';
import { StudyTree } from './tree.svelte';

const WHOLE = 1_000_000; // actions: all of a match
const SETTLED = 800; // milliseconds after the last change before it is kept
const MOST = 400; // positions that are remembered

export type Kept = 'not' | 'saving' | 'saved';

export class Study {
  tree = $state.raw(new StudyTree());
  game = $state.raw<GameShown | null>(null);
  listed = $state.raw<Listed | null>(null);
  placed = $state.raw<Placed | null>(null);
  name = $state('');
  /** Its address, if it is kept. */
  id = $state<string | null>(null);
  mine = $state(false);
  kept = $state<Kept>('not');
  problem = $state.raw<Words | null>(null);
  private base: Place = { line: [] };
  private seen = new Map<string, Placed>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saved = 0; // changes of the tree

  /** From what its address says. */
  async open(from: 'kept' | 'match' | 'game', id: string, detail: URLSearchParams): Promise<void> {
    if (from === 'kept') await this.read(id);
    else if (from === 'match') await this.follow(id, Number(detail.get('at') ?? 0));
    else await this.begin(id, detail);
    await this.go(this.tree.at);
  }

  private async read(id: string): Promise<void> {
    const study = await api.study(id);
    this.game = await api.game(study.game);
    [this.id, this.mine, this.name, this.kept] = [id, study.mine, study.name, study.mine ? 'saved' : 'not'];
    this.tree = StudyTree.of(study.tree);
    this.base = { study: id };
    if (study.match) this.listed = await api.match(study.match).catch(() => null); // it may be gone
  }

  private async follow(id: string, at: number): Promise<void> {
    this.listed = await api.match(id);
    this.game = await api.game(this.listed.game);
    this.base = { match: this.listed.id };
    const { played } = await api.position({ ...this.base, at: WHOLE });
    this.tree = StudyTree.line(played);
    this.tree.at = Math.max(0, Math.min(at, played.length));
  }

  private async begin(game: string, detail: URLSearchParams): Promise<void> {
    this.game = await api.game(game);
    const [setup, mine] = [detail.get('setup'), detail.get('mine')];
    const start: Start = setup ? { setup } : mine ? { text: (await api.setup(mine)).text } : {};
    this.base = { game, start: { ...start, seed: Number(detail.get('seed') ?? 0) } };
  }

  /** The position that this study starts from, and what leads to node `n`. */
  place(n = this.tree.at): Place {
    return { ...this.base, line: this.tree.path(n) };
  }

  async go(n: number): Promise<void> {
    this.tree.at = n;
    await this.trying(async () => {
      const placed = await this.at(this.tree.path(n));
      if (this.tree.at === n) this.placed = placed;
    });
  }

  /** Asks what would be after an action; null where it cannot be played. */
  async foresee(action: string): Promise<Placed | null> {
    return this.at([...this.tree.path(), action]).catch(() => null);
  }

  /** Plays an action for whoever is to act; `tell` shows how it comes about. */
  async play(action: string, tell: (after: Placed) => Promise<unknown>): Promise<boolean> {
    const from = this.tree.at;
    return this.trying(async () => {
      const after = await this.at([...this.tree.path(), action]);
      await tell(after);
      if (this.tree.at !== from) return;
      this.tree.play(after.played.at(-1)!);
      this.placed = after;
    });
  }

  private async at(line: string[]): Promise<Placed> {
    const key = line.join('\n');
    const known = this.seen.get(key) ?? (await api.position({ ...this.base, line }));
    if (this.seen.size >= MOST) this.seen.clear();
    this.seen.set(key, known);
    return known;
  }

  // -- keeping --------------------------------------------------------------------------------------------------------

  /** On the server, for whoever is in this browser; somebody else's becomes a copy. */
  async keep(): Promise<void> {
    await this.trying(async () => {
      const made = await api.keepStudy({ name: this.name, place: this.base, tree: this.tree.kept() });
      [this.id, this.mine, this.kept, this.saved] = [made.id, true, 'saved', this.tree.changes];
      this.base = { study: made.id };
      const link = onSite(`/study/${made.id}`);
      history.replaceState(null, '', link); // it is the same study: nothing is loaded anew
    });
  }

  /** Somebody has changed something: it is kept when they pause. */
  changed(): void {
    if (!this.mine || !this.id) return;
    clearTimeout(this.timer);
    this.kept = 'saving';
    this.timer = setTimeout(() => void this.save(), SETTLED);
  }

  /** Is there anything that a save would bring? */
  get dirty(): boolean {
    return this.mine && (this.saved !== this.tree.changes || this.kept === 'saving');
  }

  async save(): Promise<void> {
    clearTimeout(this.timer);
    const { changes } = this.tree;
    const went = await this.trying(async () => {
      await api.changeStudy(this.id!, { tree: this.tree.kept(), ...(this.name.trim() ? { name: this.name } : {}) });
      this.saved = changes;
    });
    if (went && this.saved === this.tree.changes) this.kept = 'saved';
  }

  async remove(): Promise<boolean> {
    return this.trying(async () => {
      await api.deleteStudy(this.id!);
      this.mine = false;
    });
  }

  private async trying(work: () => Promise<void>): Promise<boolean> {
    this.problem = null;
    try {
      await work();
      return true;
    } catch (error) {
      this.problem = error instanceof Problem ? error.words : wordsOf(error);
      return false;
    }
  }
}
