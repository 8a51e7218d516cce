// What one has solved and learned, kept in this browser: a rating for each game, the days in a row, the lessons.
// `Progress` is one plain object, so that it can be sent somewhere else as it is.

import { keep, recall } from '$lib/keep';
import { after, NEWCOMER, type Rated } from './rating';

export interface GameProgress extends Rated {
  tried: number;
  solved: number;
  /** The puzzles that were tried, the latest last. */
  seen: string[];
}

export interface Progress {
  games: Record<string, GameProgress>;
  /** The last day on which a puzzle was solved, how many in a row it ends, and the most there were. */
  streak: { day: string; days: number; best: number };
  /** The day whose puzzle was tried, and how that went. */
  daily: { day: string; right: boolean };
  /** Lessons that were gone through: `khet/pins`. */
  lessons: string[];
}

export interface Listed {
  id: string;
  rating: number;
}

const KEY = 'puzzles';
const MOST_SEEN = 1000;
const NEAR = 8; // puzzles among which the next is drawn

export const nothing = (): Progress => ({
  games: {},
  streak: { day: '', days: 0, best: 0 },
  daily: { day: '', right: false },
  lessons: [],
});

/** A day as everybody on Earth writes it. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function gameOf(progress: Progress, game: string): GameProgress {
  return progress.games[game] ?? { ...NEWCOMER, tried: 0, solved: 0, seen: [] };
}

/** After the first try at a puzzle. One that was seen before is not rated again. */
export function tried(progress: Progress, game: string, puzzle: Listed, right: boolean, day: string): Progress {
  const before = gameOf(progress, game);
  const fresh = !before.seen.includes(puzzle.id);
  const rated = fresh ? after(before, puzzle.rating, right) : before;
  const now: GameProgress = {
    ...before,
    rating: rated.rating,
    deviation: rated.deviation,
    tried: before.tried + 1,
    solved: before.solved + Number(right),
    seen: [...before.seen.filter((id) => id !== puzzle.id), puzzle.id].slice(-MOST_SEEN),
  };
  return { ...progress, games: { ...progress.games, [game]: now }, streak: right ? inARow(progress.streak, day) : progress.streak };
}

function inARow(before: Progress['streak'], day: string): Progress['streak'] {
  if (before.day === day) return before;
  const days = dayOf(Date.parse(day) - 86_400_000) === before.day ? before.days + 1 : 1;
  return { day, days, best: Math.max(before.best, days) };
}

/** The days in a row that still count: today's puzzle may come yet. */
export function streakOn(progress: Progress, day: string): number {
  const { day: last, days } = progress.streak;
  return last === day || last === dayOf(Date.parse(day) - 86_400_000) ? days : 0;
}

/** One that was not tried yet and fits one's rating; when all were, the one that was tried longest ago. */
export function nextOf(all: readonly Listed[], progress: GameProgress, random: () => number): Listed | null {
  const fresh = all.filter(({ id }) => !progress.seen.includes(id));
  if (!fresh.length) return [...all].sort((a, b) => progress.seen.indexOf(a.id) - progress.seen.indexOf(b.id))[0] ?? null;
  const near = [...fresh].sort((a, b) => Math.abs(a.rating - progress.rating) - Math.abs(b.rating - progress.rating));
  return near[Math.floor(random() * Math.min(NEAR, near.length))]!;
}

/** The game of a day, the same for everybody, in whatever order a page has them: the games take turns. */
export function dailyOf(day: string, games: readonly string[]): string | undefined {
  return [...games].sort()[Math.floor(Date.parse(day) / 86_400_000) % games.length];
}

/** After the first try at the puzzle of a day. Who comes back to it later has tried it all the same. */
export function triedDaily(progress: Progress, day: string, right: boolean): Progress {
  return progress.daily.day === day ? progress : { ...progress, daily: { day, right } };
}

export function ofTheDay<T>(day: string, all: readonly T[]): T | undefined {
  let mixed = 2166136261;
  for (const sign of day) mixed = Math.imul(mixed ^ sign.charCodeAt(0), 16777619) >>> 0;
  return all[mixed % all.length];
}

/** The progress of whoever sits at this browser. */
class Kept {
  now = $state.raw<Progress>({ ...nothing(), ...recall<Partial<Progress>>(KEY, {}) });

  become(progress: Progress): void {
    this.now = progress;
    keep(KEY, progress);
  }
}

export const mine = new Kept();
