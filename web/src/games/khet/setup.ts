// A setup while it is being made: pieces are put, moved, turned and removed, each with its counterpart across the board
// if that is wanted. Nothing is judged here: the server says what may begin a match.

import { across, BOX, counterpart, turned } from './notation';
import type { Kind, Piece } from './shown';

/** How many of a kind a side has left in the box. */
export function left(pieces: Piece[], kind: Kind, colour: number): number {
  return BOX[kind] - pieces.filter((piece) => piece.kind === kind && piece.colour === colour).length;
}

function without(pieces: Piece[], ...squares: string[]): Piece[] {
  return pieces.filter(({ square }) => !squares.includes(square));
}

/** The piece across the board that goes with the one on `square`, if it is its counterpart in kind and colour. */
function partner(pieces: Piece[], square: string): Piece | undefined {
  const piece = pieces.find((one) => one.square === square);
  const other = pieces.find((one) => one.square === across(square));
  return piece && other && other.kind === piece.kind && other.colour !== piece.colour ? other : undefined;
}

/** Puts a piece instead of whatever stands there; its counterpart only if the box still has one. */
export function put(pieces: Piece[], piece: Piece, symmetric: boolean): Piece[] {
  const after = [...without(pieces, piece.square), piece];
  const other = counterpart(piece);
  if (!symmetric || left(without(after, other.square), other.kind, other.colour) < 1) return after;
  return [...without(after, other.square), other];
}

/** Moves a piece; what stands there takes its place. */
export function move(pieces: Piece[], from: string, to: string, symmetric: boolean): Piece[] {
  const exchange = (all: Piece[], a: string, b: string) =>
    all.map((piece) =>
      piece.square === a ? { ...piece, square: b } : piece.square === b ? { ...piece, square: a } : piece,
    );
  const pair = symmetric && to !== across(from) && partner(pieces, from);
  const after = exchange(pieces, from, to);
  return pair ? exchange(after, across(from), across(to)) : after;
}

export function turn(pieces: Piece[], square: string, clockwise: boolean, symmetric: boolean): Piece[] {
  const pair = symmetric && partner(pieces, square);
  return pieces.map((piece) =>
    piece.square === square || (pair && piece === pair) ? turned(piece, clockwise) : piece,
  );
}

export function remove(pieces: Piece[], square: string, symmetric: boolean): Piece[] {
  const pair = symmetric && partner(pieces, square);
  return without(pieces, square, ...(pair ? [pair.square] : []));
}
