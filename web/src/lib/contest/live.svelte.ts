// The boards of matches under way: which are shown, and how each stands. Matches of programs may last a second, so one
// stays where it is for some seconds after it ended, unless its place is needed.

import { api } from '$lib/api/client';
import type { Look } from '$lib/ui/Miniature.svelte';
import type { News } from './contest.svelte';

export type Playing = News['playing'][number] & { match: string };
export interface Slot {
  match: Playing;
  /** When it was seen that it is over. */
  over: number | null;
}

const EVERY = 1200; // milliseconds between two looks at the boards
const STAYS = 2000; // milliseconds for which a board stays at least,
const LINGERS = 8000; // and after its end at most

/** Pure: who keeps their place, who takes one that is free, or of one that is over. */
export function arrange(before: readonly Slot[], playing: readonly Playing[], most: number, now: number): Slot[] {
  const going = new Map(playing.map((each) => [each.match, each]));
  const slots: Slot[] = before
    .slice(0, most)
    .map(({ match, over }) => ({ match, over: going.has(match.match) ? null : (over ?? now) }))
    .filter(({ over }) => over === null || now - over < LINGERS);
  const shown = new Set(slots.map(({ match }) => match.match));
  for (const match of playing) {
    if (shown.has(match.match)) continue;
    const free = slots.length < most ? slots.length : slots.findIndex(({ over }) => over !== null);
    if (free < 0) break;
    slots[free] = { match, over: null };
  }
  return slots;
}

export class LiveBoards {
  slots = $state.raw<Slot[]>([]);
  looks = $state.raw<Record<string, Look>>({});
  #playing: Playing[] = [];
  #changed = -STAYS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #going = true;

  constructor(private most: () => number) {
    void this.#run();
  }

  /** What is being played now. */
  show(playing: News['playing']): void {
    this.#playing = playing.filter((each): each is Playing => typeof each.match === 'string');
    clearTimeout(this.#timer);
    const wait = Math.max(0, this.#changed + STAYS - performance.now());
    if (wait === 0) this.#arrange();
    else this.#timer = setTimeout(() => this.#arrange(), wait);
  }

  close(): void {
    this.#going = false;
    clearTimeout(this.#timer);
  }

  #arrange(): void {
    const [before, playing] = [this.slots, this.#playing];
    const now = arrange(before, playing, this.most(), performance.now());
    const same = ({ match, over }: Slot, n: number) => before[n]?.match.match === match.match && before[n].over === over;
    if (now.length === before.length && now.every(same)) return;
    this.slots = now;
    this.#changed = performance.now();
    void this.#look();
  }

  async #run(): Promise<void> {
    while (this.#going) {
      if (!document.hidden) await this.#look();
      if (this.slots.some(({ over }) => over !== null)) this.#arrange();
      await new Promise((done) => setTimeout(done, EVERY));
    }
  }

  async #look(): Promise<void> {
    const ids = this.slots.filter(({ match, over }) => over === null || !this.looks[match.match]).map(({ match }) => match.match);
    const seen = await Promise.all(ids.map(async (id) => [id, await api.look(id).catch(() => null)] as const));
    if (!this.#going) return;
    const kept = this.slots.map(({ match }) => match.match);
    const all = { ...this.looks, ...Object.fromEntries(seen.filter(([, look]) => look)) };
    this.looks = Object.fromEntries(Object.entries(all).filter(([id]) => kept.includes(id))) as Record<string, Look>;
  }
}
