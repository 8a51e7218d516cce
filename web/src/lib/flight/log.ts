// A log of the flight recorder (`quincunx match … --log`): lines of JSON, the first about the match, then one for every
// question to a program. It is written while the match goes on, so its last line may be cut off.

import { Problem } from '$lib/api/client';

/** One question to a program. Times are milliseconds. */
export interface Question {
  seat: number;
  /** How many actions stood when it was asked: the position of the replay. */
  after: number;
  /** Since the match began. */
  at: number;
  told: string;
  said: string[];
  /** What was wrong with its answers, in their order; the one that stands has nothing here. */
  refused: string[];
  /** What it wrote to stderr meanwhile. */
  notes: string;
  wall: number;
  cpu: number;
  /** Why it lost the match, or its turn. */
  trouble: string;
  /** What its clock had left; 0: unknown. */
  allowed: number;
}

export interface Log {
  game: string;
  start: string;
  /** The players, as the record names them. */
  seats: string[];
  questions: Question[];
  /** The end is missing. */
  cut: boolean;
}

/** What of a record says which match it is. */
export interface Recorded {
  game: string;
  start_digest: string;
  seats: { player?: string }[];
  entries: { kind: string; at: number }[];
}

const FORMAT = 1;
const EMPTY = { told: '', said: [], refused: [], notes: '', wall: 0, cpu: 0, trouble: '', allowed: 0 };

const NO_LOG = { fr: 'Ce fichier n’est pas le journal d’un programme.', en: 'This file is not a program’s log.' };
const NEWER = {
  fr: 'Ce journal vient d’une version plus récente de Quincunx.',
  en: 'This log was written by a newer version of Quincunx.',
};
const OTHER = {
  fr: 'Ce journal est celui d’une autre partie.',
  en: 'This log belongs to another match.',
};
const damaged = (line: number) =>
  new Problem('damaged_log', {
    fr: `Ce journal est abîmé\u00a0: sa ligne ${line} n’est pas lisible.`,
    en: `This log is damaged: its line ${line} cannot be read.`,
  });

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Does a text begin as a log does? */
export function isLog(text: string): boolean {
  return parsed(text.split('\n', 1)[0]!)?.kind === 'flight';
}

/** The log in a text; a Problem that says what is wrong, if it is none. */
export function readLog(text: string): Log {
  const lines = text.split('\n');
  const head = parsed(lines[0]!);
  if (head?.kind !== 'flight' || typeof head.game !== 'string' || !Array.isArray(head.seats))
    throw new Problem('no_log', NO_LOG);
  if (head.format !== FORMAT) throw new Problem('newer_log', NEWER);
  const rest = lines.length > 1 ? lines.at(-1)! : '';
  const questions = lines.slice(1, -1).map((line, n) => questionOf(parsed(line)) ?? fail(n + 2));
  const last = questionOf(parsed(rest));
  if (last) questions.push(last);
  return {
    game: head.game,
    start: String(head.start_digest),
    seats: head.seats.map(String),
    questions,
    cut: rest !== '' && !last,
  };
}

function fail(line: number): never {
  throw damaged(line);
}

function questionOf(line: Record<string, unknown> | null): Question | null {
  if (line?.kind !== 'turn') return null;
  const numbers = [line.seat, line.after, line.at];
  return numbers.every((value) => Number.isInteger(value)) ? ({ ...EMPTY, ...line } as unknown as Question) : null;
}

/** Is it the log of this match? Otherwise a Problem. */
export function checkLog(log: Log, record: Recorded): void {
  const players = record.seats.map((seat) => seat.player ?? 'person');
  const same = log.game === record.game && log.start === record.start_digest && `${log.seats}` === `${players}`;
  if (!same || !inTime(log, record)) throw new Problem('other_log', OTHER);
}

/** Matches of the same players from the same start differ in when things happened: a question lies between the action
 * before it and the one after it. Where moves were taken back, that cannot be told. */
function inTime({ questions }: Log, { entries }: Recorded): boolean {
  const times = entries.filter(({ kind }) => kind === 'action').map(({ at }) => at);
  const fits = ({ after, at }: Question) =>
    after <= times.length && (times[after - 1] ?? 0) <= at && at <= (times[after] ?? Infinity);
  return entries.some((entry) => 'event' in entry && entry.event === 'take_back') || questions.every(fits);
}

/** The seats that were asked something. */
export function askedSeats({ questions }: Log): number[] {
  return [...new Set(questions.map(({ seat }) => seat))].sort((a, b) => a - b);
}

/** Which question belongs to a position: the one that was picked if it was asked there; otherwise the first that was,
 * or the last one before. -1: none was asked yet. */
export function questionAt(questions: readonly Question[], at: number, picked = -1): number {
  if (questions[picked]?.after === at) return picked;
  const here = questions.findIndex(({ after }) => after === at);
  return here >= 0 ? here : questions.findLastIndex(({ after }) => after < at);
}

/** The one that is next in this direction, from a position and the question shown there; -1: there is none. */
export function neighbour(questions: readonly Question[], at: number, shown: number, step: 1 | -1): number {
  if (step === 1) return shown + 1 < questions.length ? shown + 1 : -1;
  return shown >= 0 && questions[shown]!.after < at ? shown : Math.max(-1, shown - 1); // back to the position where it was asked
}
