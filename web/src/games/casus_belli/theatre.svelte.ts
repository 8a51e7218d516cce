// How a turn is told: pushes, all attacks together, wounds, deaths, then everybody walks step by step at the same time,
// and at the end what is in sight now. `interim` is what the board draws meanwhile.

import type { Motion, StoryEvent } from '$lib/board/contract';
import { Interim } from '$lib/board/interim.svelte';
import { FACINGS, place, reachOf, readOrder, stride, type Facing, type Role, type Shown, type Unit } from './notation';
import type { Strike, Wound } from './Strikes.svelte';

export interface Told extends StoryEvent {
  role?: Role;
  order?: string;
  dropped?: boolean;
  pushed?: boolean;
  team?: number;
  damage?: number;
  number?: number;
  holder?: number;
  seat?: number;
  points?: number;
}
const STEP = 190; // milliseconds of a step
const FATAL = 9001;
const FAR = 16; // cells: nobody walks or flies so far, it came back from the dead

export class Theatre {
  interim = new Interim<Shown>();
  strikes = $state.raw<Strike[]>([]);
  wounds = $state.raw<Wound[]>([]);
  /** Units that are fading away, by their ids. */
  leaving = $state.raw<ReadonlySet<string>>(new Set());
  ghosts = $state.raw<string[]>([]);
  pace = $state(1);
  private noted = '';

  private get picture(): Shown {
    return this.interim.drawn!;
  }
  private set picture(to: Shown) {
    this.interim.drawn = to;
  }

  /** The shapes noticed in the last turn, if `shown` is what came after it. */
  ghostsAt(shown: Shown): string[] {
    return this.interim.at(shown) || this.noted === moment(shown) ? this.ghosts : [];
  }

  async tell(
    before: Shown,
    after: Shown,
    story: Told[],
    observer: number,
    wide: boolean,
    motion: Motion,
  ): Promise<void> {
    if (!story.some(({ kind }) => kind === 'turn')) return; // an order or a seal: nothing moves
    const of = (kind: string) => story.filter((event) => event.kind === kind);
    this.pace = motion.scale;
    this.interim.begin(before, { ...before, own: [], corpses: [] });
    this.ghosts = [];
    this.noted = moment(after);
    await this.push(
      of('walked').filter(({ pushed }) => pushed),
      observer,
      motion,
    );
    await this.fight(of('attacked'), of('hit'), observer, wide, motion);
    await this.bury(of('died'), observer, motion);
    const walks = of('walked').filter(({ pushed, cells }) => !pushed && cells.length);
    await this.walk(
      walks,
      of('penumbra').flatMap(({ cells }) => cells),
      observer,
      motion,
    );
    await this.look(before, after, of('hotspot'), motion);
    this.strikes = this.wounds = [];
    this.leaving = new Set();
    this.picture = after;
  }

  private unit(observer: number, role: Role | undefined): Unit | undefined {
    return this.picture.units.find((unit) => unit.team === observer && unit.role === role);
  }

  private change(observer: number, role: Role | undefined, to: Partial<Unit>): void {
    const units = this.picture.units.map((unit) =>
      unit.team === observer && unit.role === role ? { ...unit, ...to } : unit,
    );
    this.picture = { ...this.picture, units };
  }

  private async push(pushed: Told[], observer: number, motion: Motion): Promise<void> {
    if (!pushed.length) return;
    for (const { role, cells } of pushed) this.change(observer, role, { cell: cells[0]! });
    await motion.wait(420);
  }

  private async fight(attacks: Told[], hits: Told[], observer: number, wide: boolean, motion: Motion): Promise<void> {
    if (!attacks.length && !hits.length) return;
    this.strikes = attacks.filter(({ dropped }) => !dropped).flatMap((attack) => this.strike(attack, observer, wide));
    if (this.strikes.length) await motion.wait(480);
    const wounded = new Map<Role, Told[]>();
    for (const hit of hits) wounded.set(hit.role!, [...(wounded.get(hit.role!) ?? []), hit]);
    this.wounds = [...wounded].flatMap(([role, all]) => {
      const unit = this.unit(observer, role);
      const fatal = all.some(({ damage }) => damage === 0 || damage! >= FATAL);
      const sum = all.reduce((total, { damage }) => total + damage!, 0);
      return unit ? [{ cell: unit.cell, text: fatal ? '☠' : `−${sum}` }] : [];
    });
    for (const [role, all] of wounded) {
      const unit = this.unit(observer, role);
      const lost = all.reduce((total, { damage }) => total + (damage || FATAL), 0);
      if (unit) this.change(observer, role, { health: Math.max(0, unit.health - lost) });
    }
    await motion.wait(this.wounds.length ? 850 : 200);
    this.strikes = this.wounds = [];
  }

  private strike({ role, order = '' }: Told, observer: number, wide: boolean): Strike[] {
    const [unit, read] = [this.unit(observer, role), readOrder(order)];
    if (!unit || !read || read.what === 'hold') return [];
    const { plus } = reachOf(unit.role, read.what, wide);
    return [
      {
        role: unit.role,
        what: read.what,
        from: unit.cell,
        to: read.cell || unit.cell,
        turn: FACINGS.indexOf(unit.facing) * 90,
        plus,
      },
    ];
  }

  private async bury(deaths: Told[], observer: number, motion: Motion): Promise<void> {
    if (!deaths.length) return;
    this.leaving = new Set(deaths.map(({ role }) => `${observer}${role}`));
    await motion.wait(420);
    const dead = new Set(deaths.map(({ role }) => role));
    const fallen = deaths.map(({ role, cells }) => ({ team: observer, role: role!, cell: cells[0]! }));
    const units = this.picture.units.filter((unit) => unit.team !== observer || !dead.has(unit.role));
    this.picture = { ...this.picture, units, corpses: fallen };
    this.leaving = new Set();
  }

  /** Step k of all paths is the same moment; the shapes of the penumbra come up on the way. */
  private async walk(walks: Told[], traces: string[], observer: number, motion: Motion): Promise<void> {
    const longest = Math.max(0, ...walks.map(({ cells }) => cells.length));
    for (let k = 0; k < longest; k++) {
      for (const { role, cells } of walks) {
        const [unit, cell] = [this.unit(observer, role), cells[k]];
        if (unit && cell)
          this.change(observer, role, { cell, facing: (stride(unit.cell, cell)[0] as Facing) ?? unit.facing });
      }
      this.ghosts = traces.slice(0, Math.ceil((traces.length * (k + 1)) / longest));
      await motion.wait(STEP);
    }
    this.ghosts = traces;
  }

  /** Those that are no longer seen fade, those that still are slide to where they stand, and the fog follows. */
  private async look(before: Shown, after: Shown, hotspots: Told[], motion: Motion): Promise<void> {
    const now = new Map(after.units.map((unit) => [`${unit.team}${unit.role}`, unit]));
    const buried = new Set(after.corpses.map(({ team, role }) => `${team}${role}`));
    const gone = (unit: Unit) => {
      const there = now.get(`${unit.team}${unit.role}`);
      return (
        !there ||
        (before.turn >= before.placement && buried.has(`${unit.team}${unit.role}`)) ||
        apart(unit.cell, there.cell) > FAR
      );
    };
    const leaving = this.picture.units.filter(gone).map(({ team, role }) => `${team}${role}`);
    this.leaving = new Set(leaving);
    if (leaving.length) await motion.wait(260);
    this.wounds = hotspots.flatMap(({ number = 0, holder = -1 }) => {
      const spot = after.hotspots[number];
      const scored = holder >= 0 && after.points[holder]! > before.points[holder]! && spot?.turns === 0;
      return spot && scored ? [{ cell: spot.cells[0]!, text: '+1', good: true }] : [];
    });
    this.picture = { ...after, own: [] };
    this.leaving = new Set();
    await motion.wait(this.wounds.length ? 800 : 360);
  }
}

function moment({ turn, phase }: Shown): string {
  return `${turn}.${phase}`;
}

function apart(a: string, b: string): number {
  const [p, q] = [place(a), place(b)];
  return Math.abs(p.x - q.x) + Math.abs(p.y - q.y);
}
