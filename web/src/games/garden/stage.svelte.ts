// The stage on which a story is told: event by event it says what moves, what pops up and how the dice fall, and keeps
// the cells as they are in between. The board draws it.

import type { Motion } from '$lib/board/contract';
import { Interim } from '$lib/board/interim.svelte';
import type { Sign } from './Icon.svelte';
import { place, type Place } from './drawing';
import type { Hex, Resource, Shown, Told } from './shown';
import { fold } from './story';
import { said } from './words';

export interface Pop {
  id: number;
  at: Place;
  sign: Sign;
  text: string;
  how: 'rise' | 'burst' | 'stomp' | 'rain';
}

export interface Moving {
  id: number;
  from: Place;
  to: Place;
  seat: number;
  count: number;
  flies: boolean;
}

export interface Die {
  face: number;
  settled: boolean;
  lost: boolean;
}

export interface Roll {
  kind: 'fight' | 'poison';
  at: Place;
  seats: [number, number];
  rows: [Die[], Die[]];
  /** -1 while they roll, then the row that won. */
  winner: number;
}

const TURN = 70; // between two faces of a rolling die

export class Stage {
  interim = new Interim<Hex[]>();
  moving = $state.raw<Moving | null>(null);
  pops = $state.raw<Pop[]>([]);
  roll = $state.raw<Roll | null>(null);
  banner = $state('');
  pace = $state(1);
  #count = 0;
  #motion!: Motion;
  #entered: string[] = []; // the cell that was entered last

  async tell(before: Shown, after: Shown, story: Told[], motion: Motion): Promise<void> {
    this.#motion = motion;
    this.pace = motion.scale;
    this.interim.begin(before, before.hexes);
    for (const [k, event] of story.entries()) {
      const hexes = this.interim.drawn!;
      if (event.cells.length === 2) this.#entered = event.cells.slice(1);
      if (!motion.skipped) await this.#show(event, hexes, story[k + 1]);
      this.interim.drawn = fold(hexes, event);
      this.moving = this.roll = null;
    }
    this.pops = [];
    this.banner = '';
    this.interim.drawn = after.hexes;
  }

  async #pop(cells: string[], sign: Sign, text: string, ms: number, how: Pop['how'] = 'rise'): Promise<void> {
    this.pops = cells.map((cell) => ({ id: ++this.#count, at: place(cell), sign, text, how }));
    await this.#motion.wait(ms);
    this.pops = [];
  }

  async #say(text: string, ms: number): Promise<void> {
    this.banner = text;
    await this.#motion.wait(ms);
    this.banner = '';
  }

  async #show(event: Told, hexes: Hex[], then?: Told): Promise<void> {
    const [first = '', second = ''] = event.cells;
    switch (event.kind) {
      case 'entered':
        return this.#travel(event.seat, event.creatures, first, second, hexes);
      case 'attacked':
        return this.#pop([second], event.from_sky ? 'sky' : 'attack', '', 420, 'burst');
      case 'fought':
        return this.#fight(event.attack, event.defence, event.won, event.seat, second);
      case 'ticked':
        return this.#poison(event.die, event.dice, event.seat, first);
      case 'repelled':
        return this.#pop([first], 'creature', `−${event.lost}`, 450);
      case 'died':
        return this.#pop([first], 'creature', `−${event.dead}`, 450);
      case 'absorbed':
        return this.#pop([first], 'shelter', '', 500, 'burst');
      case 'used':
        return event.power === 'candy'
          ? this.#say(said(event.words), 500)
          : this.#pop([first], event.power, '', 600, 'burst');
      case 'deported':
        return this.#pop([first], 'creature', `−${event.creatures}`, 450);
      case 'placed':
        return this.#pop([first], 'creature', `+${event.creatures}`, 320);
      case 'goods':
        return event.why === 'earned' ? this.#harvest(event.seat, hexes) : undefined;
      case 'point':
        return event.points > 0 ? this.#pop(this.#entered, 'points', '+1', 420) : undefined;
      case 'humans':
        return this.#humans(
          event.what,
          first || (then?.kind === 'died' ? then.cells[0]! : ''),
          said(event.words),
          hexes,
        );
      case 'stocked':
      case 'passed':
        return this.#say(said(event.words), 500);
      case 'over':
        return this.#say(said(event.words), 1200);
    }
  }

  async #travel(seat: number, count: number, from: string, to: string, hexes: Hex[]): Promise<void> {
    this.interim.drawn = hexes.map((hex) => (hex.name === from ? { ...hex, creatures: hex.creatures - count } : hex));
    const far = Math.hypot(place(from).x - place(to).x, place(from).y - place(to).y) > 200;
    this.moving = { id: ++this.#count, from: place(from), to: place(to), seat, count, flies: far };
    await this.#motion.wait(far ? 700 : 380);
  }

  async #harvest(seat: number, hexes: Hex[]): Promise<void> {
    const giving = hexes.filter((hex) => hex.owner === seat && hex.amount > 0);
    this.pops = giving.map((hex) => {
      return {
        id: ++this.#count,
        at: place(hex.name),
        sign: hex.resource as Resource,
        text: `+${hex.amount}`,
        how: 'rise',
      };
    });
    await this.#motion.wait(550);
    this.pops = [];
  }

  async #humans(what: string, cell: string, text: string, hexes: Hex[]): Promise<void> {
    this.banner = text;
    if (what === 'sweets')
      await this.#pop(
        hexes.map((hex) => hex.name),
        'candy',
        '',
        900,
        'rain',
      );
    else if (cell) await this.#pop([cell], 'foot', '', 900, 'stomp');
    else await this.#motion.wait(250);
    this.banner = '';
  }

  async #fight(attack: number[], defence: number[], won: boolean, seat: number, cell: string): Promise<void> {
    const blank = (dice: number[]) => dice.map(() => ({ face: 1, settled: false, lost: false }));
    this.roll = {
      kind: 'fight',
      at: place(cell),
      seats: [seat, 1 - seat],
      rows: [blank(attack), blank(defence)],
      winner: -1,
    };
    await this.#settle([attack, defence]);
    this.roll = { ...this.roll, winner: won ? 0 : 1 };
    await this.#motion.wait(900);
  }

  async #poison(die: number, dice: number[], seat: number, cell: string): Promise<void> {
    const blank = (faces: number[]) => faces.map(() => ({ face: 1, settled: false, lost: false }));
    this.roll = { kind: 'poison', at: place(cell), seats: [-1, seat], rows: [blank([die]), blank(dice)], winner: -1 };
    await this.#settle([[die], dice]);
    const [poison, creatures] = this.roll.rows;
    this.roll = {
      ...this.roll,
      winner: 2,
      rows: [poison, creatures.map((other) => ({ ...other, lost: other.face < die }))],
    };
    await this.#motion.wait(900);
  }

  /** All tumble; one after the other they come to rest, in the order of the rules. */
  async #settle(faces: [number[], number[]]): Promise<void> {
    const all = faces[0].length + faces[1].length;
    for (let turn = 0; turn <= 4 + 2 * all && !this.#motion.skipped; turn++) {
      const rest = (order: number) => turn >= 5 + 2 * order;
      const row = (which: 0 | 1): Die[] =>
        faces[which].map((face, k) => {
          const settled = rest(which * faces[0].length + k);
          return { face: settled ? face : 1 + ((turn * 5 + k * 7 + which * 3) % 6), settled, lost: false };
        });
      this.roll = { ...this.roll!, rows: [row(0), row(1)] };
      await this.#motion.wait(TURN);
    }
    const done = (which: 0 | 1): Die[] => faces[which].map((face) => ({ face, settled: true, lost: false }));
    this.roll = { ...this.roll!, rows: [done(0), done(1)] };
  }
}
