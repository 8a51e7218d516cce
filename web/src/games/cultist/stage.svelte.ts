// How a story is shown: the scene as far as it is told, and what passes over it meanwhile.

import type { Motion } from '$lib/board/contract';
import type { Passing } from './Effects.svelte';
import { after, type Scene, type Told } from './notation';

const STEP = 240; // milliseconds of a step
const CELL = 75; // of a bullet, a cell

export class Stage {
  /** Null when nothing is told. */
  scene = $state.raw<Scene | null>(null);
  passing = $state.raw<Passing>({});
  /** The unit that was hit. */
  shaken = $state(-1);
  /** The unit, or the cell of the obstacle, that fades. */
  gone = $state<number | string>(-1);
  /** The cells of the last action. */
  last = $state.raw<string[]>([]);
  pace = $state(1);

  async tell(before: Scene, story: Told[], motion: Motion): Promise<void> {
    this.pace = motion.scale;
    this.scene = before;
    for (const event of story) {
      if (event.cells.length && event.kind !== 'wandered')
        this.last = event.cells.length > 2 ? [event.cells[0]!, event.cells.at(-1)!] : event.cells;
      if (motion.scale > 0 && !motion.skipped) await this.showing[event.kind]?.(event, motion);
      this.scene = after(this.scene ?? before, event);
      if (event.kind === 'moved' || event.kind === 'wandered') await motion.wait(STEP + 40);
      this.passing = {};
      this.gone = this.shaken = -1;
    }
  }

  private showing: Record<string, (event: Told, motion: Motion) => Promise<void>> = {
    shot: async ({ cells, damage = 0, struck = -1 }, motion) => {
      for (const reached of cells.keys()) {
        this.passing = { bullet: { cells, reached } };
        await motion.wait(reached ? CELL : 120);
      }
      this.passing = { struck: { cell: cells.at(-1)!, damage } };
      this.shaken = struck;
      await motion.wait(620);
    },
    died: async ({ cells: [cell], unit = -1 }, motion) => {
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
      const { cells, owner = 0 } = event;
      const [from, to] = cells;
      this.passing = { bless: { from: from!, to: to!, owner } };
      await motion.wait(420);
      this.scene = after(this.scene!, { ...event, cells: [to!] });
      await motion.wait(420);
    },
    waited: async ({ seat: who = 0 }, motion) => {
      const someone = this.scene!.units.find(({ owner }) => owner === who);
      this.passing = someone ? { pause: someone.cell } : {};
      await motion.wait(600);
    },
  };
}
