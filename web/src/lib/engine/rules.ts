// The rules of a game as Python's façade has them (games/facade.py): worlds, outlooks, what is legal, what happens.

import type { Engine, Rows } from './engine';

export const CHANCE = -1;
export const PUBLIC = -2;
export const NOBODY = -3;

/** All of a match at one instant. */
export interface World {
  terms: Rows;
  state: Rows;
}

/** What one seat knows of it, and all that a player is given. */
export interface Outlook {
  terms: Rows;
  view: Rows;
  seat: number;
}

export class Rules {
  readonly engine: Engine;
  /** Kept full, it notes nothing. */
  readonly silent: Rows;
  private readonly loudest: number;
  private readonly viewKind: string;
  private readonly out: Rows;
  private readonly told: Rows;

  constructor(engine: Engine) {
    this.engine = engine;
    this.loudest = engine.about.structures.Log?.fields.events?.shape[0] ?? 0;
    this.viewKind = engine.about.functions.observe_at?.takes[4]?.kind ?? 'State'; // where nothing is hidden
    this.out = engine.ints(engine.about.maxLegal);
    this.told = engine.rows('Log');
    this.silent = engine.rows('Log');
    this.address(this.silent, NOBODY, this.loudest);
  }

  // -- room for worlds, made once and used again ----------------------------------------------------------------------

  newWorld(): World {
    return { terms: this.engine.rows('Terms'), state: this.engine.rows('State') };
  }

  newOutlook(terms: Rows): Outlook {
    return { terms, view: this.engine.rows(this.viewKind), seat: NOBODY };
  }

  /** As `Game.to_bytes` of Python has it: the terms, then the state. */
  fromBytes(world: World, bytes: Uint8Array): void {
    this.engine.put(world.terms, bytes);
    this.engine.put(world.state, bytes.subarray(world.terms.size));
  }

  /** As `Game.observation_to_bytes` of Python has it: the terms, then what the seat knows. */
  outlookFromBytes(outlook: Outlook, seat: number, bytes: Uint8Array): void {
    this.engine.put(outlook.terms, bytes);
    this.engine.put(outlook.view, bytes.subarray(outlook.terms.size));
    outlook.seat = seat;
  }

  /** `target` becomes equal to `source`, whose terms must be its own. */
  copy(target: World, source: World): void {
    this.engine.put(target.state, source.state);
  }

  random(seed: number | bigint): Rows {
    const random = this.engine.rows('Random');
    this.seed(random, seed);
    return random;
  }

  seed(random: Rows, seed: number | bigint): void {
    this.engine.call('seed_at', random, seed);
  }

  // -- the rules ------------------------------------------------------------------------------------------------------

  turn({ terms, state }: World): number {
    return Number(this.engine.count('turn_at', terms, state, 0));
  }

  toAct({ terms, state }: World, seat: number): boolean {
    return this.engine.call('to_act_at', terms, state, 0, seat) as boolean;
  }

  /** Of a seat that is to act. */
  legal({ terms, state }: World, seat: number): bigint[] {
    const n = this.engine.count('legal_at', terms, state, 0, seat, this.out);
    return this.engine.numbers(this.out, Number(n));
  }

  /** 0, or the number of the refusal. */
  check({ terms, state }: World, seat: number, action: bigint): number {
    return Number(this.engine.count('check_at', terms, state, 0, seat, action));
  }

  /** Plays an action that `check` accepts. */
  apply({ terms, state }: World, seat: number, action: bigint): void {
    this.engine.call('apply_at', terms, state, 0, seat, action, this.silent);
  }

  /** Plays it, and returns what `observer` sees of it. */
  story({ terms, state }: World, seat: number, action: bigint, observer: number): bigint[] {
    const { engine, told } = this;
    this.address(told, observer, 0);
    engine.call('apply_at', terms, state, 0, seat, action, told);
    const n = Number(engine.get(told, 'count'));
    return Array.from({ length: n }, (_, k) => engine.get(told, 'events', 0, k) as bigint);
  }

  roll({ terms, state }: World, random: Rows): bigint {
    return this.engine.count('roll_at', terms, state, 0, random);
  }

  chanceOutcome({ terms, state }: World, action: bigint): bigint {
    return this.engine.count('chance_outcome_at', terms, state, 0, action);
  }

  score({ terms, state }: World, seat: number): bigint {
    return this.engine.count('score_at', terms, state, 0, seat);
  }

  scores(world: World): bigint[] {
    const seats = Number(this.engine.get(world.terms, 'seats'));
    return Array.from({ length: seats }, (_, seat) => this.score(world, seat));
  }

  /** What a run-out clock plays; less than 0: the seat loses. */
  fallback({ terms, state }: World, seat: number): bigint {
    return this.engine.count('fallback_at', terms, state, 0, seat);
  }

  key({ terms, state }: World): bigint {
    return this.engine.count('key_at', terms, state, 0);
  }

  /** `outlook` becomes what `seat` knows. */
  observe({ terms, state }: World, seat: number, outlook: Outlook): void {
    outlook.terms = terms;
    outlook.seat = seat;
    this.engine.call('observe_at', terms, state, 0, seat, outlook.view);
  }

  /** `state` becomes one that the outlook allows. */
  imagine({ terms, view, seat }: Outlook, random: Rows, state: Rows): void {
    this.engine.call('imagine_at', terms, view, seat, random, state, 0);
  }

  private address(log: Rows, observer: number, count: number): void {
    this.engine.set(log, 'observer', observer);
    this.engine.set(log, 'count', count);
  }
}
