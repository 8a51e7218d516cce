// An engine that thinks along: about the position on the screen, as long as somebody wants it, for a bounded time, and
// not while nobody looks. It thinks in the page, and where that cannot be, once and shortly on the server.

import { api, wordsOf, type Place, type Placed } from '$lib/api/client';
import type { Words } from '$lib/board/contract';
import { keep, recall } from '$lib/keep';
import type { Opinion } from './adviser';
import type { Thinker } from './thinker';

export interface Said {
  /** Who is to act. */
  seat: number;
  /** The first seat's chance to win, from 0 to 1. */
  share: number;
  proven: boolean;
  action: string | null;
  line: string[];
  depth: number;
  nodes: number;
  where: 'page' | 'server';
}

const LONGEST = 20_000; // milliseconds about one position
const SETTLED = 250; // before it begins: whoever steps through a match does not stop everywhere
const SPELLED = 900; // between two questions for the texts of a line
const KEPT = 'engine';

const wait = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

export class Pondering {
  on = $state(recall(KEPT, false));
  said = $state.raw<Said | null>(null);
  thinking = $state(false);
  problem = $state.raw<Words | null>(null);
  private thinker: Thinker | null = null;
  private place: Place | null = null;
  private placed: Placed | undefined;
  private turn = 0;
  private line: { numbers: string[]; at: number } = { numbers: [], at: 0 };

  constructor(private readonly game: string) {
    const seen = () => (document.hidden ? this.halt() : void this.begin());
    $effect(() => {
      document.addEventListener('visibilitychange', seen);
      return () => {
        document.removeEventListener('visibilitychange', seen);
        this.halt();
        this.thinker?.close();
      };
    });
  }

  /** Another position; whoever has asked the server about it already says what it said. */
  look(place: Place | null, placed?: Placed): void {
    [this.place, this.placed] = [place, placed];
    this.said = null;
    void this.begin();
  }

  toggle(): void {
    this.on = !this.on;
    keep(KEPT, this.on);
    this.said = null;
    if (this.on) void this.begin();
    else this.halt();
  }

  private halt(): void {
    this.turn++;
    this.thinker?.stop();
    this.thinking = false;
  }

  private async begin(): Promise<void> {
    this.halt();
    const [turn, place] = [this.turn, this.place];
    if (!this.on || !place || document.hidden) return;
    this.problem = null;
    try {
      await wait(SETTLED);
      if (turn !== this.turn) return;
      this.thinking = true;
      const placed = (this.placed ??= await api.position(place));
      if (turn !== this.turn) return;
      if (placed.known) await this.think(place, placed, turn);
    } catch (error) {
      if (turn === this.turn) this.problem = wordsOf(error);
    }
    if (turn === this.turn) this.thinking = false;
  }

  private async think(place: Place, placed: Placed, turn: number): Promise<void> {
    const { NoEngine, Stopped, Thinker, hasEngine } = await import('./thinker');
    try {
      if (!hasEngine(this.game)) throw new NoEngine();
      this.thinker ??= new Thinker(this.game);
      const tell = (opinion: Opinion) => turn === this.turn && this.tell(place, placed, opinion);
      this.line = { numbers: [], at: 0 };
      tell(await this.thinker.think(placed.known!, LONGEST, tell));
      if (turn === this.turn) await this.spell(place, true);
    } catch (error) {
      if (error instanceof Stopped || turn !== this.turn) return;
      if (!(error instanceof NoEngine)) throw error;
      const { chance, ...rest } = await api.thought(place);
      if (turn !== this.turn) return;
      const { seat } = placed;
      this.said = { ...rest, seat, share: seat === 0 ? chance : 1 - chance, proven: false, where: 'server' };
    }
  }

  private tell(place: Place, { seat, legal }: Placed, opinion: Opinion): void {
    const { chance, proven, depth, nodes } = opinion;
    const action = legal.find(({ number }) => number === String(opinion.action))?.action ?? null;
    const numbers = opinion.line.map((ply) => String(ply.action));
    const same = numbers.join() === this.line.numbers.join();
    const before = this.said?.action === action ? this.said!.line : action ? [action] : [];
    this.said = { seat, share: seat === 0 ? chance : 1 - chance, proven, action, line: before, depth, nodes, where: 'page' };
    if (same) return;
    this.line = { numbers, at: this.line.at };
    void this.spell(place).catch(() => {}); // a line without words is no reason to stop
  }

  /** The words of the line come from the server: at most one question at a time, and not too often. */
  private async spell(place: Place, last = false): Promise<void> {
    const [turn, { numbers, at }] = [this.turn, this.line];
    if (!numbers.length || (!last && Date.now() - at < SPELLED)) return;
    this.line.at = Date.now();
    const line = await api.spell({ ...place, numbers });
    if (turn !== this.turn || !this.said || this.line.numbers !== numbers) return;
    this.said = { ...this.said, action: line[0] ?? this.said.action, line };
  }
}
