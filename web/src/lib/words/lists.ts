// Words that several pages need for lists of matches.

import type { GameShown, Listed } from '$lib/api/client';
import type { Outcome } from '$lib/match/wire';
import { locale, say, table } from './language.svelte';
import { playerName } from './levels';

const words = table({
  fr: {
    free: 'place libre',
    program: 'programme',
    versus: ' contre ',
    drawn: 'Partie nulle',
    wins: (name: string) => `${name} gagne`,
    aborted: 'Partie interrompue',
    resign: 'par abandon',
    time_out: 'au temps',
    forfeit: 'par forfait',
    draw: 'd’un commun accord',
    adjudicated: 'par arbitrage',
  },
  en: {
    free: 'free seat',
    program: 'program',
    versus: ' against ',
    drawn: 'Draw',
    wins: (name: string) => `${name} wins`,
    aborted: 'Match called off',
    resign: 'by resignation',
    time_out: 'on time',
    forfeit: 'by forfeit',
    draw: 'by agreement',
    adjudicated: 'by adjudication',
  },
});

/** What a game is called; while its card is not there, its id. */
export function gameName(games: readonly GameShown[], id: string): string {
  const card = games.find((game) => game.card.id === id)?.card;
  return card ? say(card.name) : id;
}

/** The seats of a match by name: computers by their level, free ones as such. */
export function namesOf(match: Pick<Listed, 'names' | 'kinds' | 'open_seats'>): string[] {
  return match.names.map((name, seat) => {
    if (match.open_seats.includes(seat)) return words().free;
    return match.kinds[seat] === 'computer' ? playerName(name) : name || `${seat + 1}`;
  });
}

/** Who plays, in one line; programs are called that. */
export function players(match: Pick<Listed, 'names' | 'kinds' | 'open_seats' | 'programs'>): string {
  const names = namesOf(match).map((name, seat) =>
    match.programs.includes(seat) ? `${name} (${words().program})` : name,
  );
  return names.length <= 3 ? names.join(words().versus) : `${names.slice(0, 3).join(', ')} … (${names.length})`;
}

/** How it ended, in one line. */
export function result(outcome: Outcome, names: readonly string[]): string {
  if (outcome.reason === 'abort') return words().aborted;
  const best = outcome.ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  const how = outcome.reason === 'played' ? '' : words()[outcome.reason];
  const who = best.length === 1 ? words().wins(names[best[0]!] || String(best[0]! + 1)) : words().drawn;
  return how ? `${who} ${how}` : who;
}

export function when(milliseconds: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(milliseconds);
}
