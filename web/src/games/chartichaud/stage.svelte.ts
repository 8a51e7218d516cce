// Tells a story on the board: units walk, coins rise, fights burst. Meanwhile `drawn` stands for what is shown, event
// by event; the fog lifts at the end, when all that was revealed is known.

import type { Motion, OfKind } from '$lib/board/contract';
import { Interim } from '$lib/board/interim.svelte';
import { at, changed, KINDS, many, placeOf, type Kind, type Shown, type Stack, type Told } from './shown';
import { slots } from './drawing';

/** Something that moves for a moment; positions in hundredths of a cell. */
export interface Actor {
  id: number;
  act: 'walk' | 'appear' | 'vanish' | 'coin' | 'fight';
  x: number;
  y: number;
  dx: number;
  dy: number;
  scale: number;
  owner: number;
  kind: Kind;
  losses: Stack[];
  ms: number;
}

export class Stage {
  actors = $state<Actor[]>([]);
  /** Points that were just won by each seat. */
  gained = $state<[number, number]>([0, 0]);
  pace = $state(globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ? 0 : 1);
  interim = new Interim<Shown>();
  #next = 0;
  #motion: Motion | null = null;

  clear() {
    this.actors = [];
    this.gained = [0, 0];
    this.interim.drawn = null;
  }

  async tell(shown: Shown, after: Shown, story: Told[], motion: Motion, look: (cell: string) => void) {
    this.#motion = motion;
    this.pace = motion.scale;
    let drawn = shown;
    this.interim.begin(shown, drawn);
    for (const event of story) {
      if (motion.skipped || motion.scale === 0) continue;
      if (event.cells[0] && event.kind !== 'revealed' && event.kind !== 'hidden') look(event.cells.at(-1)!);
      drawn = await this.#event(drawn, event, (next) => (this.interim.drawn = next));
      this.interim.drawn = drawn;
    }
    this.interim.drawn = after;
    this.actors = [];
    this.gained = [0, 0];
    if (story.some((event) => event.kind === 'revealed' || event.kind === 'hidden')) await motion.wait(260);
  }

  async #event(drawn: Shown, event: Told, draw: (shown: Shown) => void): Promise<Shown> {
    const cell = event.cells[0] ?? '';
    const seat = 'seat' in event ? event.seat : 0;
    const unit = 'unit' in event ? event.unit : 'building';
    switch (event.kind) {
      case 'moved': {
        const there = changed(drawn, event.cells[1]!, seat, unit, 1);
        const begin = spot(drawn, cell, seat, unit);
        const end = spot(there, event.cells[1]!, seat, unit);
        draw(changed(drawn, cell, seat, unit, -1));
        await this.#play(
          { act: 'walk', ...begin, dx: end.x - begin.x, dy: end.y - begin.y, owner: seat, kind: unit },
          240,
        );
        return changed(changed(drawn, cell, seat, unit, -1), event.cells[1]!, seat, unit, 1);
      }
      case 'came':
      case 'made': {
        const there = changed(drawn, cell, seat, unit, 1);
        await this.#play({ act: 'appear', ...spot(there, cell, seat, unit), owner: seat, kind: unit }, 260);
        return there;
      }
      case 'left':
      case 'collapsed': {
        const gone = changed(drawn, cell, seat, unit, event.kind === 'left' ? -1 : -event.number);
        draw(gone);
        await this.#play({ act: 'vanish', ...spot(drawn, cell, seat, unit), owner: seat, kind: unit }, 260);
        return gone;
      }
      case 'harvested': {
        const places = drawn.places.map((place) =>
          place.cell === cell ? { ...place, gold: Math.max(0, place.gold - 1), reaped: true } : place,
        );
        draw({ ...drawn, places });
        await this.#play({ act: 'coin', ...centre(cell), owner: seat }, 340);
        return { ...drawn, places };
      }
      case 'fought':
        return this.#fight(drawn, event, cell);
      case 'scored': {
        const points = drawn.points.map((n, k) => n + (k === seat ? event.points : 0)) as [number, number];
        this.gained = this.gained.map((n, k) => n + (k === seat ? event.points : 0)) as [number, number];
        if (event.points > 1) await this.#motion!.wait(350);
        return { ...drawn, points };
      }
      default:
        return drawn;
    }
  }

  async #fight(drawn: Shown, { losses }: OfKind<Told, 'fought'>, cell: string): Promise<Shown> {
    await this.#play({ act: 'fight', ...centre(cell), losses }, 1300);
    let left = drawn;
    for (const stack of losses) {
      for (const kind of KINDS)
        if (many(stack, kind)) left = changed(left, cell, stack.owner, kind, -many(stack, kind));
    }
    return left;
  }

  async #play(actor: Partial<Actor> & Pick<Actor, 'act' | 'x' | 'y'>, ms: number) {
    const id = (this.#next += 1);
    const whole = {
      id,
      dx: 0,
      dy: 0,
      scale: 1.5,
      owner: 0,
      kind: 'civilian' as Kind,
      losses: [],
      ms: ms * this.pace,
      ...actor,
    };
    this.actors.push(whole);
    await this.#motion!.wait(ms);
    this.actors = this.actors.filter((each) => each.id !== id);
  }
}

function centre(cell: string) {
  const [x, y] = at(cell);
  return { x: x * 100 + 50, y: y * 100 + 50 };
}

/** Where a unit of that kind stands in its cell. */
function spot(shown: Shown, cell: string, owner: number, kind: Kind) {
  const place = placeOf(shown, cell);
  const slot = place && slots(place).find((each) => each.owner === owner && each.kind === kind);
  if (!slot) return { ...centre(cell), scale: 1.5 };
  const [x, y] = at(cell);
  return { x: x * 100 + slot.x, y: y * 100 + slot.y, scale: slot.scale };
}
