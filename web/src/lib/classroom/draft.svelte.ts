// A contest that a teacher is about to open: good as it stands, whatever is left alone.

import type { GameShown, Length, Values } from '$lib/api/client';
import { keep, recall } from '$lib/keep';
import { locale, say } from '$lib/words/language.svelte';
import type { NewContest } from './api';

export type Format = NonNullable<NewContest['format']>;
export const TURNS = [0.5, 1, 2, 5, 10]; // seconds
const KEPT = 'classroom.draft';
const ALONG = ['level:1', 'level:3']; // computers that play along, where a game has them
const LONGEST_NAME = 60;

interface Before {
  game?: string;
  turn?: number;
  format?: Format;
}

export class ContestDraft {
  id = $state('');
  name = $state('');
  turn = $state(1);
  format = $state<Format>('round_robin');
  seats = $state(0);
  matches = $state(0);
  preset = $state('');
  length = $state('');
  computers = $state.raw<string[]>([]);

  game = $derived.by(() => this.games.find((each) => each.card.id === this.id) ?? this.games[0]!);
  /** Those that are nothing but options: a contest draws its own maps. */
  lengths = $derived.by((): Length[] => this.game.lengths.filter((each) => !each.setup));
  levels = $derived.by(() => this.game.players.map(({ spec }) => spec).filter((spec) => /^level:\d$/.test(spec)));
  /** How many may sit at a table, if that is for somebody to say. */
  sizes = $derived.by(() => {
    const [low, high] = this.game.card.seats as [number, number];
    return low === high ? [] : Array.from({ length: Math.min(high, 8) - low + 1 }, (_, n) => low + n);
  });
  /** What it is called if nobody says otherwise: the game and the day. */
  usualName = $derived.by(() => {
    const day = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long' }).format(this.now);
    return `${say(this.game.card.name)}, ${day}`;
  });

  constructor(
    readonly games: GameShown[],
    private now = Date.now(),
  ) {
    const before = recall<Before>(KEPT, {});
    this.turn = TURNS.includes(before.turn ?? 0) ? before.turn! : 1;
    this.format = before.format ?? 'round_robin';
    this.choose(games.some((each) => each.card.id === before.game) ? before.game! : games[0]!.card.id);
  }

  choose(id: string): void {
    this.id = id;
    this.preset = this.game.presets[0]?.name ?? '';
    this.length = this.lengths.find((each) => each.usual)?.name ?? this.lengths[0]?.name ?? '';
    [this.seats, this.matches] = [0, 0];
    this.computers = ALONG.filter((each) => this.levels.includes(each));
  }

  toggle(computer: string, on: boolean): void {
    const wanted = (each: string) => (each === computer ? on : this.computers.includes(each));
    this.computers = this.levels.filter(wanted);
  }

  get wanted(): NewContest {
    const options = { ...this.lengths.find((each) => each.name === this.length)?.options } as Values;
    return {
      name: (this.name.trim() || this.usualName).slice(0, LONGEST_NAME),
      game: this.game.card.id,
      preset: this.preset || null,
      options,
      seats: this.seats,
      turn: this.turn,
      format: this.format,
      matches: this.format === 'free' ? 0 : this.matches,
      computers: this.computers,
    };
  }

  /** The next contest is likely to be like this one. */
  remember(): void {
    keep(KEPT, { game: this.game.card.id, turn: this.turn, format: this.format });
  }
}
