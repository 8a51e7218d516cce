// A turn that was resolved, as scenes that one can follow and step through: Fus Ro Dah, one's own attacks, the blows
// that one takes, deaths, the walk, what is in sight now, points. Each has a caption and the pictures it consists of.
// They are made of the story and of what was shown before and after: of nothing that the observer was not told.

import type { OfKind, StoryEvent, Words } from '$lib/board/contract';
import { FACINGS, place, reachOf, readOrder, stride } from './notation';
import type { Facing, Role, Shown, Told, Unit } from './shown';
import type { Strike, Wound } from './Strikes.svelte';

/** What the map shows for a moment. */
export interface Picture {
  shown: Shown;
  strikes: Strike[];
  wounds: Wound[];
  /** Units that are fading away, by their ids. */
  leaving: ReadonlySet<string>;
  ghosts: string[];
  /** Milliseconds at normal pace. */
  ms: number;
}
export interface Scene {
  kind: 'push' | 'attack' | 'hit' | 'death' | 'walk' | 'look' | 'points' | 'nothing';
  says: Words[];
  cells: string[];
  pictures: Picture[];
}

type Attack = OfKind<Told, 'attacked'>;

const STEP = 280; // milliseconds of a step
const BLOW = 700; // until it lands
const READ = 1300; // a caption
const FATAL = 9001;
const FAR = 16; // cells: nobody walks or flies so far, it came back from the dead

const idOf = ({ team, role }: { team: number; role: Role }) => `${team}${role}`;

/** Is it a turn that is over, and not an order or a seal? */
export function isResolved(story: readonly StoryEvent[]): boolean {
  return story.some(({ kind }) => kind === 'turn');
}

export function scenesOf(before: Shown, after: Shown, story: Told[], observer: number, wide: boolean): Scene[] {
  return new Maker(before, after, story, observer, wide).make();
}

/** Puts one scene after the other; `now` is the map as far as it has come. */
class Maker {
  private now: Shown;
  private ghosts: string[] = [];
  private scenes: Scene[] = [];

  constructor(
    private before: Shown,
    private after: Shown,
    private story: Told[],
    private observer: number,
    private wide: boolean,
  ) {
    this.now = { ...before, own: [], corpses: [] };
  }

  make(): Scene[] {
    this.push();
    for (const attack of this.of('attacked')) if (!isShout(attack)) this.attack(attack);
    for (const role of new Set(this.of('hit').map(({ role }) => role))) this.hit(role);
    this.hurt();
    this.bury();
    this.walk();
    this.look();
    this.score();
    if (!this.scenes.length) this.scene('nothing', [], [], [this.picture(READ, { shown: this.after })]);
    return this.scenes;
  }

  private of<Kind extends Told['kind']>(kind: Kind): OfKind<Told, Kind>[] {
    return this.story.filter((event): event is OfKind<Told, Kind> => event.kind === kind);
  }

  private picture(ms: number, more: Partial<Picture> = {}): Picture {
    return { shown: this.now, strikes: [], wounds: [], leaving: new Set(), ghosts: this.ghosts, ms, ...more };
  }

  private scene(kind: Scene['kind'], events: readonly Told[], cells: string[], pictures: Picture[]): void {
    this.scenes.push({ kind, says: events.map(({ words }) => words), cells, pictures });
  }

  private unit(role: Role, team = this.observer): Unit | undefined {
    return this.now.units.find((unit) => unit.team === team && unit.role === role);
  }

  private change(role: Role, to: Partial<Unit>, team = this.observer): void {
    const units = this.now.units.map((unit) => (unit.team === team && unit.role === role ? { ...unit, ...to } : unit));
    this.now = { ...this.now, units };
  }

  private remove(dead: readonly { team: number; role: Role; cell: string }[]): void {
    const ids = new Set(dead.map(idOf));
    const units = this.now.units.filter((unit) => !ids.has(idOf(unit)));
    this.now = { ...this.now, units, corpses: [...this.now.corpses, ...dead] };
  }

  private push(): void {
    const shouts = this.of('attacked').filter((attack) => isShout(attack) && !attack.dropped);
    const pushed = this.of('walked').filter(({ pushed }) => pushed);
    if (!shouts.length && !pushed.length) return;
    const strikes = shouts.flatMap((shout) => this.strike(shout));
    const pictures = strikes.length ? [this.picture(BLOW, { strikes })] : [];
    for (const { role, cells } of pushed) this.change(role, { cell: cells[0]! });
    pictures.push(this.picture(READ, { strikes }));
    this.scene(
      'push',
      [...shouts, ...pushed],
      pushed.flatMap(({ cells }) => cells),
      pictures,
    );
  }

  private attack(attack: Attack): void {
    const strikes = attack.dropped ? [] : this.strike(attack);
    const { struck } = attack;
    const pictures = strikes.length ? [this.picture(BLOW, { strikes })] : [];
    const wounds = struck.map(({ cell, damage }) => ({ cell, text: damage ? `−${damage}` : '☠' }));
    for (const { team, role, damage } of struck)
      this.change(role, { health: damage ? (this.unit(role, team)?.health ?? damage) - damage : 0 }, team);
    const dead = struck.filter(({ damage }) => !damage);
    pictures.push(this.picture(READ, { strikes, wounds, leaving: new Set(dead.map(idOf)) }));
    this.remove(dead);
    this.scene('attack', [attack], attack.cells, pictures);
  }

  private strike({ role, order }: Attack): Strike[] {
    const [unit, read] = [this.unit(role), readOrder(order)];
    if (!unit || !read || read.what === 'hold') return [];
    const { plus } = reachOf(unit.role, read.what, this.wide);
    const to = read.cell || unit.cell;
    return [
      { role: unit.role, what: read.what, from: unit.cell, to, turn: FACINGS.indexOf(unit.facing) * 90, plus },
    ];
  }

  private hit(role: Role): void {
    const hits = this.of('hit').filter((hit) => hit.role === role);
    const unit = this.unit(role);
    if (!unit) return;
    const lost = hits.reduce((total, { damage }) => total + (damage || FATAL), 0);
    this.change(role, { health: Math.max(0, unit.health - lost) });
    const wounds = [{ cell: unit.cell, text: lost >= FATAL ? '☠' : `−${lost}` }];
    this.scene('hit', hits, [unit.cell], [this.picture(READ, { wounds })]);
  }

  private hurt(): void {
    const hurt = this.of('hurt');
    if (!hurt.length) return;
    const wounds = hurt.map(({ cells, damage }) => ({ cell: cells[0]!, text: `−${damage}` }));
    for (const { role, team, damage } of hurt)
      this.change(role, { health: (this.unit(role, team)?.health ?? 0) - damage }, team);
    this.scene(
      'hit',
      hurt,
      hurt.flatMap(({ cells }) => cells),
      [this.picture(READ, { wounds })],
    );
  }

  private bury(): void {
    const died = this.of('died');
    const fallen = this.of('corpse').filter(({ cells, team }) => cells.length && team !== this.observer);
    const dead = [...died.map((event) => ({ ...event, team: this.observer })), ...fallen].map(
      ({ role, team, cells }) => ({ team, role, cell: cells[0]! }),
    );
    if (!dead.length) return;
    const wounds = dead.map(({ cell }) => ({ cell, text: '☠' }));
    const leaving = this.picture(READ, { wounds, leaving: new Set(dead.map(idOf)) });
    this.remove(dead);
    this.scene(
      'death',
      [...died, ...fallen],
      dead.map(({ cell }) => cell),
      [leaving, this.picture(300)],
    );
  }

  /** Step k of all paths is the same moment; the shapes of the penumbra come up on the way. */
  private walk(): void {
    const walks = this.of('walked').filter(({ pushed }) => !pushed);
    const noted = this.of('penumbra');
    if (!walks.length && !noted.length) return;
    const traces = noted.flatMap(({ cells }) => cells);
    const longest = Math.max(0, ...walks.map(({ cells }) => cells.length));
    const pictures: Picture[] = [];
    for (let k = 0; k < longest; k++) {
      for (const { role, cells } of walks) {
        const [unit, cell] = [this.unit(role), cells[k]];
        if (unit && cell) this.change(role, { cell, facing: (stride(unit.cell, cell)[0] as Facing) ?? unit.facing });
      }
      this.ghosts = traces.slice(0, Math.ceil((traces.length * (k + 1)) / longest));
      pictures.push(this.picture(STEP));
    }
    this.ghosts = traces;
    pictures.push(this.picture(READ - STEP));
    this.scene('walk', walks, [...walks.flatMap(({ cells }) => cells.slice(-1)), ...traces], pictures);
    const where = [...new Set(traces)].join(' ');
    if (where)
      this.scenes.at(-1)!.says.push({ fr: `Silhouettes entrevues : ${where}.`, en: `Shapes noticed: ${where}.` });
  }

  /** Those that are no longer seen fade, those that still are slide to where they stand, and the fog follows. */
  private look(): void {
    const seen = this.of('seen').filter(({ team }) => team !== this.observer);
    const squares = this.of('square');
    const leaving = new Set(this.now.units.filter((unit) => this.isGone(unit)).map(idOf));
    const pictures = leaving.size ? [this.picture(300, { leaving })] : [];
    this.now = { ...this.after, own: [] };
    pictures.push(this.picture(seen.length ? READ : 360));
    if (seen.length || squares.length)
      this.scene(
        'look',
        [...seen, ...squares],
        seen.flatMap(({ cells }) => cells),
        pictures,
      );
    else this.scenes.at(-1)?.pictures.push(...pictures);
  }

  private isGone(unit: Unit): boolean {
    const there = this.after.units.find((other) => idOf(other) === idOf(unit));
    const buried = this.after.corpses.some((corpse) => idOf(corpse) === idOf(unit));
    return (
      !there || (this.before.turn >= this.before.placement && buried) || apart(unit.cell, there.cell) > FAR
    );
  }

  private score(): void {
    const spots = this.of('hotspot');
    const scored = this.of('scored');
    if (!spots.length && !scored.length) return;
    const wounds = spots.flatMap(({ number, holder }) => {
      const spot = this.after.hotspots[number];
      const won = holder >= 0 && this.after.points[holder]! > this.before.points[holder]! && spot?.turns === 0;
      return spot && won ? [{ cell: spot.cells[0]!, text: '+1', good: true }] : [];
    });
    const cells = spots.flatMap(({ number }) => this.after.hotspots[number]?.cells ?? []);
    this.scene('points', [...spots, ...scored], cells, [this.picture(READ, { wounds })]);
  }
}

const isShout = ({ order }: Attack) => readOrder(order)?.what === 'fus';

function apart(a: string, b: string): number {
  const [p, q] = [place(a), place(b)];
  return Math.abs(p.x - q.x) + Math.abs(p.y - q.y);
}
