// What this browser keeps: the tokens of its seats, one's name, who owns setups. Nothing here goes anywhere but back
// to the server that gave it. A browser that keeps nothing (private windows) still plays, until the page is closed.

import { HASHED } from '$lib/base';

export interface KeptSeat {
  seat: number;
  token: string;
  /** For a program that will be plugged in: this browser made the match, and does not sit there. */
  program?: boolean;
}

export interface KeptMatch {
  id: string;
  game: string;
  seats: KeptSeat[];
  /** When it was last looked at. */
  at: number;
  over: boolean;
}

const MOST = 200; // matches; the oldest go first
const MATCHES = HASHED ? 'offline.matches' : 'matches'; // a server may have pages at the same address
const memory = new Map<string, string>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(`quincunx.${key}`) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, value: string): void {
  memory.set(key, value);
  try {
    localStorage.setItem(`quincunx.${key}`, value);
  } catch {
    // full or forbidden: memory has it
  }
}

export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = read(key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function keep(key: string, value: unknown): void {
  write(key, JSON.stringify(value));
}

/** As if it had never been kept. */
export function drop(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(`quincunx.${key}`);
  } catch {
    // forbidden: nothing was kept
  }
}

/** The names of all that is kept here. */
export function keys(): string[] {
  const found = new Set(memory.keys());
  try {
    const all = Object.keys(localStorage).filter((key) => key.startsWith('quincunx.'));
    for (const key of all) found.add(key.slice('quincunx.'.length));
  } catch {
    // forbidden: memory has it
  }
  return [...found].sort();
}

export function matches(): KeptMatch[] {
  return recall<KeptMatch[]>(MATCHES, []).sort((a, b) => b.at - a.at);
}

/** The seats of a match that are played in this browser. */
export function seatsOf(id: string): KeptSeat[] {
  return held(id).filter((seat) => !seat.program);
}

/** Those that programs play whom this browser invited. */
export function programsOf(id: string): KeptSeat[] {
  return held(id).filter((seat) => seat.program);
}

function held(id: string): KeptSeat[] {
  return matches().find((match) => match.id === id)?.seats ?? [];
}

/** The seats of a new match, with a note on those that were made for programs. */
export function noted(seats: readonly KeptSeat[], isProgram: (seat: KeptSeat) => boolean): KeptSeat[] {
  return seats.map((seat) => (isProgram(seat) ? { ...seat, program: true } : seat));
}

/** Adds seats to those one has in a match, and notes that it was looked at. */
export function hold(id: string, game: string, seats: readonly KeptSeat[], over = false): void {
  const known = matches().find((match) => match.id === id);
  const held = [...(known?.seats ?? []).filter((old) => !seats.some((seat) => seat.seat === old.seat)), ...seats];
  const match = {
    id,
    game,
    seats: held.sort((a, b) => a.seat - b.seat),
    at: Date.now(),
    over: over || (known?.over ?? false),
  };
  keep(MATCHES, [match, ...matches().filter((other) => other.id !== id)].slice(0, MOST));
}

export function forget(id: string): void {
  keep(
    MATCHES,
    matches().filter((match) => match.id !== id),
  );
}

export function myName(): string {
  return recall('name', '');
}

export function callMe(name: string): void {
  keep('name', name.trim().slice(0, 40));
}

/** A setup that is not finished: the server keeps only what its game accepts, so drafts stay on this device. */
export interface KeptDraft {
  id: string;
  name: string;
  text: string;
  setup?: string; // of the maker's own, whose next version it is to be
}

const MOST_DRAFTS = 50; // of a game; the oldest go first

export function drafts(game: string): KeptDraft[] {
  return recall<KeptDraft[]>(`drafts.${game}`, []);
}

export function keepDraft(game: string, draft: KeptDraft): void {
  const others = drafts(game).filter((each) => each.id !== draft.id);
  keep(`drafts.${game}`, [draft, ...others].slice(0, MOST_DRAFTS));
}

export function dropDraft(game: string, id: string): void {
  keep(
    `drafts.${game}`,
    drafts(game).filter((each) => each.id !== id),
  );
}

/** Says to the server whose setups these are; it keeps a hash of it only. */
export function owner(): string {
  const known = recall('owner', '');
  if (known) return known;
  const fresh = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  keep('owner', fresh);
  return fresh;
}

/** What only this tab keeps, and only until it is closed; nothing where the browser forbids it. */
export function shelf(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
