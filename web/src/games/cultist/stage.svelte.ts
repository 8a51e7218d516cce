// How a story is shown: the scene as far as it is told, and what passes over it meanwhile.

import type { Motion, OfKind } from '$lib/board/contract';
import { Interim } from '$lib/board/interim.svelte';
import type { Passing } from './Effects.svelte';
import { after as next, type Scene } from './story';
import type { Told } from './shown';

const STEP = 240; // milliseconds of a step
const CELL = 75; // of a bullet, a cell

export class Stage {
  interim = new Interim<Scene>();
  passing = $state.raw<Passing>({});
  /** The unit that was hit. */
  shaken = $state(-1);
  /** The unit, or the cell of the obstacle, that fades. */
  gone = $state<number | string>(-1);
  pace = $state(1);

  async tell(before: Scene, after: Scene, story: Told[], motion: Motion): Promise<void> {
    this.pace = motion.scale;
    this.interim.begin(before, before);
    for (const event of story) {
      if (motion.scale > 0 && !motion.skipped) await this.showing[event.kind]?.(event as never, motion);
      this.interim.drawn = next(this.scene, event);
      if (event.kind === 'moved' || event.kind === 'wandered') await motion.wait(STEP + 40);
      this.passing = {};
      this.gone = this.shaken = -1;
    }
    this.interim.drawn = after;
  }

  private get scene(): Scene {
    return this.interim.drawn!;
  }

  private showing: { [Kind in Told['kind']]?: (event: OfKind<Told, Kind>, motion: Motion) => Promise<void> } = {
    shot: async ({ cells, damage, struck }, motion) => {
      for (const reached of cells.keys()) {
        this.passing = { bullet: { cells, reached } };
        await motion.wait(reached ? CELL : 120);
      }
      this.passing = { struck: { cell: cells.at(-1)!, damage } };
      this.shaken = struck;
      await motion.wait(620);
    },
    died: async ({ cells: [cell], unit }, motion) => {
      this.passing = { soul: cell };
      this.gone = unit;
      await motion.wait(720);
    },
    destroyed: async ({ cells: [cell] }, motion) => {
      this.passing = { dust: cell };
      this.gone = cell!;
      await motion.wait(480);
    },
    converted: async (event, motion) => {
      const { cells, owner } = event;
      const [from, to] = cells;
      this.passing = { bless: { from: from!, to: to!, owner } };
      await motion.wait(420);
      this.interim.drawn = next(this.scene, { ...event, cells: [to!] });
      await motion.wait(420);
    },
    waited: async ({ seat: who }, motion) => {
      const someone = this.scene.units.find(({ owner }) => owner === who);
      this.passing = someone ? { pause: someone.cell } : {};
      await motion.wait(600);
    },
  };
}
