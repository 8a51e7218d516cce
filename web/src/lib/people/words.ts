// Words that the pages about people share.

import type { ClockRule } from '$lib/api/client';
import type { components } from '$lib/api/schema';
import { number, table } from '$lib/words/language.svelte';

export const words = table({
  fr: {
    quick: '3 min + 5 s',
    normal: '10 min + 10 s',
    long: '30 min + 30 s',
    daily: 'Un jour par coup',
    none: 'sans pendule',
    other: 'pendule',
    rated: 'Classée',
    casual: 'Amicale',
    ratedText: 'Elle compte pour les deux : pas d’indice, aucun coup annulé, camps tirés au sort.',
    casualText: 'Pour le plaisir : elle ne change aucun classement.',
    win: 'gagnée',
    draw: 'nulle',
    loss: 'perdue',
    anonymous: 'anonyme',
  },
  en: {
    quick: '3 min + 5 s',
    normal: '10 min + 10 s',
    long: '30 min + 30 s',
    daily: 'A day for each move',
    none: 'no clock',
    other: 'clock',
    rated: 'Rated',
    casual: 'Casual',
    ratedText: 'It counts for both: no hints, nothing is taken back, sides are drawn.',
    casualText: 'For fun: no rating changes.',
    win: 'won',
    draw: 'drawn',
    loss: 'lost',
    anonymous: 'anonymous',
  },
});

/** 1512: a rating is read as a whole, without a sign between its digits. */
export function elo(value: number): string {
  return String(Math.round(value));
}

/** 1512 ± 40. */
export function rating(of: components['schemas']['Rated']): string {
  return `${elo(of.value)} ± ${elo((of.high - of.low) / 2)}`;
}

/** 10 min + 10 s. */
export function clockText(rule: ClockRule): string {
  const { kind = 'none', base = 0, turn = 0 } = rule;
  if (kind === 'none') return words().none;
  if (kind === 'move' && turn === 24 * 3_600_000) return words().daily;
  const parts = [base && `${number(base / 60_000, 1)} min`, turn && `${number(turn / 1000, 1)} s`];
  return parts.filter(Boolean).join(' + ') || words().other;
}
