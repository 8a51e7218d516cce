// A rating of one's own from puzzles, by Glicko: a puzzle is an opponent whose rating is known well, and the more
// puzzles one has tried, the less the next one moves the rating.

export interface Rated {
  rating: number;
  /** How sure the rating is: the true one lies within twice of it, 95 times out of 100. */
  deviation: number;
}

export const NEWCOMER: Rated = { rating: 1000, deviation: 350 };

const Q = Math.LN10 / 400;
const OF_A_PUZZLE = 80; // its deviation
const SUREST = 60; // one learns: a rating never stands still
const [LOWEST, HIGHEST] = [400, 3000];

const weight = (deviation: number) => 1 / Math.sqrt(1 + (3 * Q * Q * deviation * deviation) / (Math.PI * Math.PI));

/** The chance to solve a puzzle of this rating. */
export function expected(rating: number, puzzle: number): number {
  return 1 / (1 + Math.exp(-Q * weight(OF_A_PUZZLE) * (rating - puzzle)));
}

/** The rating after a try. */
export function after(before: Rated, puzzle: number, right: boolean): Rated {
  const g = weight(OF_A_PUZZLE);
  const chance = expected(before.rating, puzzle);
  const known = 1 / before.deviation ** 2 + Q * Q * g * g * chance * (1 - chance);
  const rating = before.rating + (Q / known) * g * (Number(right) - chance);
  return {
    rating: Math.max(LOWEST, Math.min(HIGHEST, rating)),
    deviation: Math.max(SUREST, Math.sqrt(1 / known)),
  };
}
