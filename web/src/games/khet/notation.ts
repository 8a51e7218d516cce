// Khet in writing, as the server writes it: squares, pieces with their facings, actions (`H2-G1`, `H2+`, `H2-`) and the
// text of a setup. Nothing here says what is allowed.

import facts from './facts.json';
import type { Kind, Piece } from './shown';

export const COLUMNS = 'ABCDEFGHIJ';
export const WIDTH = 10;
export const HEIGHT = 8;
/** Every square from A8 to J1, as the text of a setup lists them. */
export const SQUARES = Array.from(
  { length: WIDTH * HEIGHT },
  (_, at) => COLUMNS[at % WIDTH]! + (HEIGHT - Math.floor(at / WIDTH)),
);
export const SPHINX_OF: readonly string[] = facts.sphinxes;
export const KINDS: Kind[] = ['K', 'X', 'A', 'P', 'S'];
/** What the box holds for a side. */
export const BOX: Record<Kind, number> = facts.box;
const FACINGS: Record<Kind, string[]> = {
  K: ['N', 'E', 'S', 'W'],
  X: ['N', 'E', 'S', 'W'],
  A: ['N', 'E', 'S', 'W'],
  P: ['NE', 'SE', 'SW', 'NW'],
  S: ['\\', '/'],
};

export function column(square: string): number {
  return square.charCodeAt(0) - 65;
}

/** Rows count from the top: row 0 is 8. */
export function row(square: string): number {
  return HEIGHT - Number(square[1]);
}

/** The colour to which a square is reserved, or -1. */
export function reserved(square: string): number {
  return facts.reserved.findIndex((squares) => squares.includes(square));
}

/** How far a facing is turned from the drawing, in degrees. */
export function angle(piece: Piece): number {
  return Math.max(0, FACINGS[piece.kind].indexOf(piece.facing)) * 90;
}

export function turned(piece: Piece, clockwise: boolean): Piece {
  const all = FACINGS[piece.kind];
  const at = all.indexOf(piece.facing) + (clockwise ? 1 : -1);
  return { ...piece, facing: all[(at + all.length) % all.length]! };
}

export interface Deed {
  from: string;
  /** The square of a step or swap. */
  to?: string;
  /** +1 clockwise, -1 counter-clockwise. */
  spin?: number;
}

export function deed(action: string): Deed {
  const [from, rest] = [action.slice(0, 2), action.slice(2)];
  return rest.length === 1 ? { from, spin: rest === '+' ? 1 : -1 } : { from, to: rest.slice(1) };
}

/** Where the pieces stand once an action is carried out, before the laser fires. */
export function carried(pieces: Piece[], { from, to, spin }: Deed): Piece[] {
  return pieces.map((piece) => {
    if (piece.square === from) return to ? { ...piece, square: to } : turned(piece, spin === 1);
    return piece.square === to ? { ...piece, square: from } : piece;
  });
}

export interface Offer {
  steps: string[];
  clockwise: boolean;
  counter: boolean;
}

/** The actions on offer, by the square of the piece that would carry them out. */
export function offers(legal: string[]): Map<string, Offer> {
  const all = new Map<string, Offer>();
  for (const { from, to, spin } of legal.map(deed)) {
    const offer = all.get(from) ?? { steps: [], clockwise: false, counter: false };
    if (to) offer.steps.push(to);
    else if (spin === 1) offer.clockwise = true;
    else offer.counter = true;
    all.set(from, offer);
  }
  return all;
}

const TOKEN = /\s*([KXA][NESW]|P(?:NE|SE|SW|NW)|S[/\\]|[1-9]\d?|\.)/iy;

/**
 * The pieces in a text of squares, as far as it can be read: an editor draws what is there while it is being written.
 */
export function readSetup(text: string): Piece[] {
  const pieces: Piece[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < SQUARES.length;) {
    const word = TOKEN.exec(text)?.[1];
    if (!word) break;
    if (/[.\d]/.test(word[0]!)) {
      at += word === '.' ? 1 : Number(word);
    } else {
      const kind = word[0]!.toUpperCase() as Kind;
      pieces.push({
        square: SQUARES[at]!,
        colour: word[0] === kind ? 0 : 1,
        kind,
        facing: word.slice(1).toUpperCase(),
      });
      at += 1;
    }
  }
  return pieces;
}

export function pieceText({ colour, kind, facing }: Piece): string {
  return (colour === 0 ? kind : kind.toLowerCase()) + facing;
}

/** A diagram of eight rows, each square as wide as the widest piece. */
export function writeSetup(pieces: Piece[]): string {
  const there = new Map(pieces.map((piece) => [piece.square, pieceText(piece)]));
  const words = SQUARES.map((square) => (there.get(square) ?? '.').padEnd(4));
  return Array.from({ length: HEIGHT }, (_, y) =>
    words
      .slice(y * WIDTH, (y + 1) * WIDTH)
      .join(' ')
      .trimEnd(),
  ).join('\n');
}

/** The square across the centre of the board. */
export function across(square: string): string {
  return SQUARES[SQUARES.length - 1 - SQUARES.indexOf(square)]!;
}

/** The same piece of the other side, after a half turn of the board. */
export function counterpart(piece: Piece): Piece {
  const facing = turned(turned(piece, true), true).facing;
  return { ...piece, square: across(piece.square), colour: 1 - piece.colour, facing };
}
