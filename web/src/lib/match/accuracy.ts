// How well somebody played, as one figure. What a move lost is the drop of its seat's chance to win, in percent, against
// the best move; a curve makes a figure of it, as players know it from chess sites, and the figure of a player is the mean:
//
//   lost   0 → 100 %     5 → 80 %     10 → 64 %     25 → 32 %     50 → 9 %

/** A move that was judged: the chance with the best move, and with the one that was played (null: nobody can say). */
export interface Judged {
  seat: number;
  before: number;
  after: number | null;
}

/** Of one move, from 0 to 100. */
export function accuracyOf(lost: number): number {
  return Math.max(0, Math.min(100, 103.1668 * Math.exp(-0.04354 * Math.max(0, lost)) - 3.1669));
}

/** Of each seat, from 0 to 100; null where no move was judged. */
export function accuracies(moves: readonly Judged[], seats: number): (number | null)[] {
  return Array.from({ length: seats }, (_, seat) => {
    const own = moves.filter((move) => move.seat === seat && move.after !== null);
    if (!own.length) return null;
    return own.reduce((sum, { before, after }) => sum + accuracyOf(100 * (before - after!)), 0) / own.length;
  });
}
