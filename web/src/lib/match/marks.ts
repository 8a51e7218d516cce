// The shapes of the seats' marks: a game whose pieces have shapes of their own says so (`GamePages.shapes`), and every mark
// of its players has them: beside the board, in the result, in the story, in a replay.

import { getContext, setContext } from 'svelte';

const KEY = 'marks';

const ring = (corners: number, radius: number, inner = radius) =>
  `M${Array.from({ length: corners }, (_, k) => {
    const [angle, far] = [(k * 2 * Math.PI) / corners, k % 2 ? inner : radius];
    return `${(far * Math.sin(angle)).toFixed(1)} ${(-far * Math.cos(angle)).toFixed(1)}`;
  }).join('L')}Z`;

/** Outlines around 0, 0, in a box from -50 to 50. */
export const CIRCLE = 'M0 -40A40 40 0 1 1 0 40A40 40 0 1 1 0 -40Z';
export const DIAMOND = ring(4, 44);
export const SQUARE = 'M-35 -35H35V35H-35Z';
export const OCTAGON = 'M-17 -40H17L40 -17V17L17 40H-17L-40 17V-17Z';
export const STAR = ring(10, 46, 20);
const SHAPES = [CIRCLE, DIAMOND, SQUARE, 'M0 -38L42 34H-42Z', ring(6, 42), STAR];

/** Called by whoever shows a game; what is inside draws its marks like that. */
export function shapeMarks(shapes: () => readonly string[] | undefined): void {
  setContext(KEY, shapes);
}

/** The shape of a seat's mark here, to be called while a component is made. */
export function markShapes(): (seat: number) => string {
  const own = getContext<(() => readonly string[] | undefined) | undefined>(KEY);
  return (seat) => {
    const shapes = own?.() ?? SHAPES;
    return shapes[seat % shapes.length]!;
  };
}
