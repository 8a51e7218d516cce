// How one event changes what is seen, so that a story can be drawn event by event.

import type { Shown, Told, Unit } from './shown';

export type Scene = Pick<Shown, 'units' | 'obstacles'>;

/** The scene after one event. */
export function after({ units, obstacles }: Scene, event: Told): Scene {
  const change = (id: number | undefined, to: Partial<Unit>) =>
    units.map((unit) => (unit.id === id ? { ...unit, ...to } : unit));
  const last = event.cells.at(-1)!;
  switch (event.kind) {
    case 'moved':
    case 'wandered':
      return { units: change(event.unit, { cell: last }), obstacles };
    case 'converted':
      return { units: change(event.unit, { owner: event.owner }), obstacles };
    case 'shot':
      if (event.struck >= 0) return { units: change(event.struck, { hp: event.hp }), obstacles };
      if (!event.damage) return { units, obstacles };
      return {
        units,
        obstacles: obstacles.map((stone) => (stone.cell === last ? { ...stone, hp: event.hp } : stone)),
      };
    case 'died':
      return { units: units.filter(({ id }) => id !== event.unit), obstacles };
    case 'destroyed':
      return { units, obstacles: obstacles.filter(({ cell }) => cell !== last) };
    default:
      return { units, obstacles };
  }
}
