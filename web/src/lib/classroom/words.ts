// What everything on the pages of a class is called.

import { number, table } from '$lib/words/language.svelte';
import type { ClassEntrant, MyEntrant, PupilContest, RoundState } from './api';

const matches = (n: number) => (n > 1 ? `${number(n)} parties jouées` : `${number(n)} partie jouée`);
const words = table({
  fr: {
    playing: 'joue',
    here: 'prêt',
    away: 'absent',
    none: 'Aucune ronde n’a encore commencé.',
    running: (n: string, played: number, wanted: string) => `Ronde ${n}\u00a0: ${matches(played)} sur ${wanted}.`,
    done: (n: string, played: number) => `Ronde ${n} terminée\u00a0: ${matches(played)}.`,
  },
  en: {
    playing: 'playing',
    here: 'ready',
    away: 'away',
    none: 'No round has begun yet.',
    running: (n: string, played: number, wanted: string) => `Round ${n}: ${number(played)} of ${wanted} matches played.`,
    done: (n: string, played: number) =>
      `Round ${n} is over: ${number(played)} ${played === 1 ? 'match' : 'matches'} played.`,
  },
});

export function presence(entrant: Pick<ClassEntrant, 'playing' | 'present'>): string {
  return entrant.playing ? words().playing : entrant.present ? words().here : words().away;
}

export function roundLine(round: RoundState): string {
  const [n, played] = [number(round.number), round.played];
  if (round.number === 0) return words().none;
  return round.running ? words().running(n, played, number(round.wanted)) : words().done(n, played);
}

/** How things stand for a pupil in a contest. */
export type Standing = 'nothing' | 'waiting' | 'away' | 'playing' | 'running' | 'ready' | 'over';

export function standing({ open, round, mine }: Pick<PupilContest, 'open' | 'round'> & { mine: MyEntrant | null }): Standing {
  if (!open) return 'over';
  if (!mine) return 'nothing';
  if (mine.playing) return 'playing';
  if (!mine.accepted) return 'waiting';
  if (!mine.present) return 'away';
  return round.running ? 'running' : 'ready';
}
