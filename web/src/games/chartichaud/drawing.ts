// Where the units and the gold of a cell stand in it, on a square of 100; fewer of them stand larger:
//
//   one kind, gold     two kinds, gold    three kinds, gold   both sides
//   +---------+        +---------+        +---------+         +---------+
//   |  C      |        |  C   M  |        | B     M |         | B     b |
//   |         |        |         |        |         |         | M  g  m |
//   |       g |        |    g    |        | C     g |         | C     c |
//   +---------+        +---------+        +---------+         +---------+

import { KINDS, many, readyOf, type Kind, type Place, type Stack } from './shown';

export interface Slot {
  owner: number;
  kind: Kind;
  many: number;
  ready: number | null;
  x: number;
  y: number;
  scale: number;
}

const CORNER: Record<Kind, [number, number]> = { building: [28, 28], military: [72, 28], civilian: [28, 71] };
const ROWS = [[], [50], [29, 72], [20, 50, 80]] as const;
const SCALES = [0, 1.2, 1, 0.74] as const;

/** `over`: whether a unit can act is of no interest any more. */
export function slots(place: Place, over = false): Slot[] {
  const tallest = Math.max(0, ...place.stacks.map((stack) => kindsOf(stack).length));
  return place.stacks.flatMap((stack) => {
    const kinds = kindsOf(stack);
    return kinds.map((kind, k) => {
      const found = { owner: stack.owner, kind, many: many(stack, kind), ready: over ? null : readyOf(stack, kind) };
      if (place.stacks.length > 1) {
        const rows = ROWS[kinds.length]!;
        return { ...found, x: stack.owner ? 76 : 24, y: rows[kinds.length - 1 - k]!, scale: SCALES[tallest]! };
      }
      if (kinds.length === 3) return { ...found, x: CORNER[kind][0], y: CORNER[kind][1], scale: 1.15 };
      if (kinds.length === 2) return { ...found, x: k ? 73 : 27, y: place.gold ? 33 : 48, scale: 1.18 };
      return place.gold ? { ...found, x: 37, y: 42, scale: 1.55 } : { ...found, x: 50, y: 48, scale: 1.8 };
    });
  });
}

function kindsOf(stack: Stack): Kind[] {
  return KINDS.filter((kind) => many(stack, kind));
}

/** Where the heap lies, how large, and how low its number. */
export function goldSlot(place: Place): [number, number, number, number] {
  if (place.stacks.length > 1) return [50, 40, 0.8, 60];
  const kinds = place.stacks.length ? kindsOf(place.stacks[0]!).length : 0;
  return kinds === 0 ? [50, 42, 1.75, 78] : kinds === 2 ? [50, 68, 0.9, 87] : [73, 66, 1, 87];
}

/** A single coin, some, a heap. */
export function heap(gold: number): 1 | 2 | 3 {
  return gold < 10 ? 1 : gold < 50 ? 2 : 3;
}
