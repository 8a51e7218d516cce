// A match that somebody is thinking of: what was chosen so far, what it will look like, and what is wrong with it.

import { api, type ClockRule, type GameShown, type Length, type NewMatch, type Option } from '$lib/api/client';
import type { Start, Values, WantedSeat } from '$lib/api/client';
import type { Words } from '$lib/board/contract';
import { myName, recall } from '$lib/keep';
import { Preview, type Fault } from '$lib/preview.svelte';
import { seatName, usualLength } from '$lib/start';
import { offline } from '$lib/venue';

export type How = 'here' | 'network' | 'computer' | 'watch';
export interface Before {
  how?: How;
  player?: string;
}
/** Among the players one can choose: a program that comes over the network. */
export const REMOTE = 'program';
const SAVED = 'saved:'; // before the id of a setup that somebody made

export class Draft {
  how = $state<How>('computer');
  name = $state(myName());
  others = $state<string[]>([]);
  side = $state<number | null>(0);
  levels = $state<string[]>([]);
  preset = $state('');
  values = $state.raw<Values>({});
  setup = $state('');
  clock = $state.raw<ClockRule>({ kind: 'none', base: 0, turn: 0 });
  open = $state(true);
  rated = $state(false);
  readonly preview: Preview;
  readonly before: Before;
  #texts = $state.raw<Record<string, string>>({});

  settled = $derived.by(() => {
    const chosen = this.game.presets.find((each) => each.name === this.preset);
    const of = (option: Option) => this.values[option.name] ?? chosen?.options?.[option.name] ?? option.default;
    return Object.fromEntries(this.game.options.map((option) => [option.name, of(option)])) as Values;
  });
  /** Which of the lengths this is; none, if somebody chose map or options differently. */
  length = $derived.by(() => this.game.lengths.find((length) => this.#is(length)));
  start = $derived.by((): Start | null => {
    const shared = { preset: this.preset, options: this.values };
    if (!this.setup.startsWith(SAVED)) return { ...shared, setup: this.setup || null };
    const text = this.#texts[this.setup];
    return text === undefined ? null : { ...shared, text };
  });
  seats = $derived.by(() => this.preview.look?.seats ?? this.game.card.seats[0]);
  /** Will the match begin from what the picture shows? */
  fixed = $derived.by(() => this.setup !== '' || !this.game.card.drawn);

  constructor(
    readonly game: GameShown,
    kept: string,
    wished: string | null,
  ) {
    this.preview = new Preview(game.card.id);
    this.before = recall<Before>(kept, {});
    this.how = this.before.how ?? 'computer';
    if (offline() && this.how === 'network') this.how = 'computer';
    this.preset = game.presets[0]?.name ?? '';
    const usual = usualLength(game);
    if (usual) this.chooseLength(usual);
    else this.setup = game.card.drawn ? '' : (game.setups[0]?.name ?? '');
    const offered = game.setups.some((each) => each.name === wished);
    if (wished) this.chooseSetup(offered ? wished : SAVED + wished);
  }

  #is(length: Length): boolean {
    const same = Object.entries(length.options ?? {}).every(([name, value]) => this.settled[name] === value);
    return same && (length.setup ?? '') === this.setup;
  }

  chooseLength(length: Length): void {
    const lengths = this.game.lengths.flatMap((each) => Object.keys(each.options ?? {}));
    const others = Object.entries(this.values).filter(([name]) => !lengths.includes(name));
    this.values = { ...Object.fromEntries(others), ...length.options };
    this.setup = length.setup ?? '';
  }

  /** A variant that has a length of its own replaces the one that was chosen. */
  choosePreset(name: string): void {
    const own = this.game.presets.find((each) => each.name === name)?.options ?? {};
    const { length } = this;
    this.preset = name;
    this.values = {};
    if (length && !Object.keys(length.options ?? {}).some((option) => option in own)) this.chooseLength(length);
    else if (this.game.card.drawn) this.setup = '';
  }

  chooseSetup(to: string): void {
    this.setup = to;
    if (!to.startsWith(SAVED) || to in this.#texts) return;
    api.setup(to.slice(SAVED.length)).then(
      ({ text }) => (this.#texts = { ...this.#texts, [to]: text }),
      () => this.setup === to && (this.setup = this.game.card.drawn ? '' : (this.game.setups[0]?.name ?? '')),
    );
  }

  /** What counts has a clock. */
  stake(rated: boolean): void {
    this.rated = rated;
    if (rated && this.clock.kind === 'none') this.clock = { kind: 'fischer', base: 600_000, turn: 10_000 };
  }

  level(seat: number): string {
    const { players } = this.game;
    const before = players.find((each) => each.spec === this.before.player)?.spec;
    return this.levels[seat] ?? before ?? players[Math.min(1, players.length - 1)]?.spec ?? 'random';
  }

  /** What is wrong with a number, before anybody is asked. */
  outside(option: Option): Words | null {
    const value = this.settled[option.name];
    const [low, high] = [option.low ?? 0, option.high ?? 0];
    if (option.type !== 'int' || (Number.isInteger(value) && Number(value) >= low && Number(value) <= high)) return null;
    return { fr: `Un nombre de ${low} à ${high}.`, en: `A number from ${low} to ${high}.` };
  }

  get mistake(): Fault | null {
    for (const option of this.game.options) {
      const words = this.outside(option);
      if (words) return { field: `options.${option.name}`, words };
    }
    return null;
  }

  /** Where the form shows a fault that names no field of its own. */
  place({ field }: Fault): string {
    if (field === 'seats' && 'seats' in this.settled) return 'options.seats';
    return field || (this.setup ? 'setup' : '');
  }

  get match(): NewMatch {
    return {
      game: this.game.card.id,
      seats: this.#wanted(),
      ...this.start,
      seed: null,
      clock: this.clock,
      rated: this.how === 'network' && this.rated,
      public: this.how === 'watch' || (this.how === 'network' && this.open),
    };
  }

  #wanted(): WantedSeat[] {
    const mine = this.side !== null && this.side < this.seats ? this.side : Math.floor(Math.random() * this.seats);
    return Array.from({ length: this.seats }, (_, n): WantedSeat => {
      const named = (name: string | undefined) => name?.trim() || seatName(this.game, n);
      if (this.how === 'here')
        return { kind: 'here', name: named(n === 0 ? this.name : this.others[n]), player: '' };
      if (this.how !== 'watch' && n === mine) return { kind: 'here', name: named(this.name), player: '' };
      if (this.how === 'network') return { kind: 'open', name: '', player: '' };
      if (this.level(n) === REMOTE) return { kind: 'program', name: named(''), player: '' };
      return { kind: 'computer', name: '', player: this.level(n) };
    });
  }
}
