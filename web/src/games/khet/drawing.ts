// Where things are drawn: a square is 100 units wide, A8 on top left unless the board is flipped.

import type { OfKind } from '$lib/board/contract';
import { angle, column, row, HEIGHT, WIDTH } from './notation';
import type { Piece, Shown, Told } from './shown';

export interface Point {
  x: number;
  y: number;
}

/** The centre of a square. */
export function centre(square: string, flipped: boolean): Point {
  const [x, y] = [column(square) * 100 + 50, row(square) * 100 + 50];
  return flipped ? { x: WIDTH * 100 - x, y: HEIGHT * 100 - y } : { x, y };
}

/** The points that a beam passes, from the sphinx on; `leaves` is the side of the board where it gets lost, or ''. */
export function path(sphinx: string, cells: string[], leaves: string, flipped: boolean): Point[] {
  const points = [sphinx, ...cells].map((square) => centre(square, flipped));
  const [first, second, last] = [points[0]!, points[1], points.at(-1)!];
  if (leaves) {
    const sign = flipped ? -1 : 1;
    const x = (leaves === 'E' ? 1 : leaves === 'W' ? -1 : 0) * sign;
    const y = (leaves === 'S' ? 1 : leaves === 'N' ? -1 : 0) * sign;
    points.push({ x: last.x + x * 53, y: last.y + y * 53 });
  }
  // it leaves the muzzle, not the heart of the sphinx
  if (second) points[0] = { x: first.x + (second.x - first.x) * 0.44, y: first.y + (second.y - first.y) * 0.44 };
  return points;
}

/** A piece on its way: it keeps its number while it moves, and turns by the shorter way. */
export interface Figure extends Piece {
  id: number;
  /** Degrees, not folded into a circle, so that turns go the right way round. */
  turn: number;
}

let numbers = 0;

/**
 * The figures that show `pieces`: each keeps the number of the one it was. `spin` says which way a half-symmetric
 * piece turned.
 */
export function follow(before: Figure[], pieces: Piece[], spin: number): Figure[] {
  const left = new Set(before);
  const take = (piece: Piece, same: (old: Figure) => boolean) => {
    const found = [...left].filter((old) => old.kind === piece.kind && old.colour === piece.colour && same(old));
    const nearest = found.sort((a, b) => distance(a, piece) - distance(b, piece))[0];
    if (nearest) left.delete(nearest);
    return nearest;
  };
  const stayed = pieces.map((piece) => take(piece, (old) => old.square === piece.square));
  const figures = pieces.map((piece, at) => {
    const old = stayed[at] ?? take(piece, () => true);
    return { ...piece, id: old?.id ?? ++numbers, turn: old ? unfolded(old.turn, piece, spin) : angle(piece) };
  });
  return figures.sort((a, b) => a.id - b.id);
}

function distance(a: Piece, b: Piece): number {
  return Math.hypot(column(a.square) - column(b.square), row(a.square) - row(b.square));
}

function unfolded(from: number, piece: Piece, spin: number): number {
  const period = piece.kind === 'S' ? 180 : 360;
  let by = (((angle(piece) - from) % period) + period) % period;
  if (by > period / 2 || (by === period / 2 && spin < 0)) by -= period;
  return from + by;
}

/** Whose beam: it begins beside its sphinx. */
export function colourOf(beam: string[]): number {
  return ['J2', 'I1'].includes(beam[0]!) ? 0 : 1;
}

/** Where the light of a beam that destroyed nothing leaves the board, or ''. */
export function lost({ cells, directions }: OfKind<Told, 'beam'>, pieces: Piece[], after: Shown): string {
  const colour = colourOf(cells);
  if (after.beams[colour]?.join() === cells.join()) return after.leaves[colour]!;
  return pieces.some(({ square }) => square === cells.at(-1)) ? '' : (directions.at(-1) ?? '');
}

/** The beam that would be fired, and what it would destroy, if an action had this story. */
export function foresee(story: Told[], pieces: Piece[], after: Shown) {
  const beam = story.find((event) => event.kind === 'beam');
  const hit = story.find((event) => event.kind === 'destroyed');
  if (!beam) return null;
  const light = { colour: colourOf(beam.cells), cells: beam.cells, leaves: hit ? '' : lost(beam, pieces, after) };
  return { light, hit: hit?.cells[0] ?? null, words: (hit ?? beam).words };
}
