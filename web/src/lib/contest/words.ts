// What everything on the page of a contest is called.

import { language, number, table } from '$lib/words/language.svelte';
import { playerName } from '$lib/words/levels';
import type { Result } from './contest.svelte';

const words = table({
  fr: {
    round_robin: 'toutes rondes',
    swiss: 'système suisse',
    gauntlet: 'un contre tous',
    knock_out: 'élimination directe',
    arena: 'arène',
    free: 'parties libres',
    versus: ' – ',
    late: (n: string) => `hors temps × ${n}`,
    exited: (n: string) => `arrêt × ${n}`,
    killed: (n: string) => `arrêt × ${n}`,
    closed: (n: string) => `arrêt × ${n}`,
    not_started: (n: string) => `pas de démarrage × ${n}`,
    memory: (n: string) => `mémoire × ${n}`,
    processes: (n: string) => `processus × ${n}`,
    flood: (n: string) => `trop bavard × ${n}`,
    refused: (n: string) => `coups refusés × ${n}`,
    invalid: (n: string) => `coup interdit × ${n}`,
    resign: (n: string) => `abandon × ${n}`,
    time_out: (n: string) => `hors temps × ${n}`,
    forfeit: (n: string) => `forfait × ${n}`,
    drawn: 'partie nulle',
    wins: (name: string) => `${name} gagne`,
  },
  en: {
    round_robin: 'round robin',
    swiss: 'Swiss system',
    gauntlet: 'gauntlet',
    knock_out: 'knock-out',
    arena: 'arena',
    free: 'free play',
    versus: ' – ',
    late: (n: string) => `late × ${n}`,
    exited: (n: string) => `stopped × ${n}`,
    killed: (n: string) => `stopped × ${n}`,
    closed: (n: string) => `stopped × ${n}`,
    not_started: (n: string) => `did not start × ${n}`,
    memory: (n: string) => `memory × ${n}`,
    processes: (n: string) => `processes × ${n}`,
    flood: (n: string) => `too wordy × ${n}`,
    refused: (n: string) => `refused moves × ${n}`,
    invalid: (n: string) => `illegal move × ${n}`,
    resign: (n: string) => `resigned × ${n}`,
    time_out: (n: string) => `late × ${n}`,
    forfeit: (n: string) => `forfeit × ${n}`,
    drawn: 'draw',
    wins: (name: string) => `${name} wins`,
  },
});

/** `level:3 #2` is called Level 3 #2, and `mcts:time=0.1` Monte Carlo 0.1 s: two of a kind must be told apart. */
export function called(name: string): string {
  const [, base = name, again = ''] = /^(.*?)( #\d+)?$/.exec(name) ?? [];
  const [, asked = ''] = /^(?!level)[a-z_]+:([a-z_]+=\S+)$/.exec(base) ?? [];
  const how = asked.split(',').map((each) => each.replace(/^time=([\d.]+)$/, (_, time) => `${number(Number(time), 3)}\u00a0s`));
  return [playerName(base), ...how].filter(Boolean).join(' ') + again;
}

export function formatName(format: 'round_robin' | 'swiss' | 'gauntlet' | 'knock_out' | 'arena' | 'free'): string {
  return words()[format];
}

const facts = table({
  fr: { turn: (n: string) => `${n}\u00a0s par tour` },
  en: { turn: (n: string) => `${n}\u00a0s a turn` },
});

export function perTurn(seconds: number): string {
  return facts().turn(number(seconds, 2));
}

export function meeting(players: readonly string[]): string {
  return players.map(called).join(words().versus);
}

/** How a match ended, in a few words. */
export function ending({ players, ranks }: Pick<Result, 'players' | 'ranks'>): string {
  const best = players.filter((_, seat) => ranks[seat] === 1);
  return best.length === 1 ? words().wins(called(best[0]!)) : words().drawn;
}

/** Why a player left before the end, and how often: one small word for each reason. */
export function troubleWords(troubles: Record<string, number>): string[] {
  const table = words();
  return Object.entries(troubles).map(([code, n]) => {
    const say = (Object.hasOwn(table, code) ? table[code as 'late'] : null) ?? table.forfeit;
    return typeof say === 'function' ? say(number(n)) : table.forfeit(number(n));
  });
}

/** The same for one match. */
export function troubleWord(code: string): string {
  return troubleWords({ [code]: 1 })[0]!.replace(/\s*×.*$/u, '');
}

/** 1er, 2e; 1st, 2nd: a place in a table. */
export function ordinal(place: number): string {
  if (language() === 'fr') return place === 1 ? '1er' : `${number(place)}e`;
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(place);
  return number(place) + { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' }[rule];
}

/** A rating: 1512, never 1 512. */
export function elo(value: number): string {
  return String(Math.round(value)).replace('-', '−');
}

/** A time in the unit that suits it: 0.4 ms, 35 ms, 1.2 s. */
export function duration(seconds: number): string {
  if (!seconds) return '–';
  if (seconds < 0.00005) return `<\u00a0${number(0.1, 1)}\u00a0ms`;
  if (seconds < 0.9995) return `${number(seconds * 1000, seconds < 0.00995 ? 1 : 0)}\u00a0ms`;
  return `${number(seconds, seconds < 9.95 ? 1 : 0)}\u00a0s`;
}

export function percent(share: number): string {
  return `${number(100 * share)}${language() === 'fr' ? '\u202f' : ''}%`;
}
