// Names of computer players for people; what a game brings itself keeps the server's words.

import type { Words } from '$lib/board/contract';
import { number, say, table } from './language.svelte';

const words = table({
  fr: {
    random: 'Hasard',
    randomText: 'joue n’importe quel coup permis',
    greedy: 'Glouton',
    greedyText: 'prend ce qui paraît le mieux tout de suite',
    minimax: 'Minimax',
    minimaxText: 'calcule toutes les suites, mais pas loin',
    alphabeta: 'Alpha-bêta',
    alphabetaText: 'calcule loin les suites utiles',
    mcts: 'Monte-Carlo',
    mctsText: 'simule des parties entières',
    seconds: (n: string) => `${n} s par coup`,
    computer: 'Ordinateur',
    level: (n: string) => `Niveau ${n}`,
  },
  en: {
    random: 'Random',
    randomText: 'plays any move that is allowed',
    greedy: 'Greedy',
    greedyText: 'takes what looks best at once',
    minimax: 'Minimax',
    minimaxText: 'looks at every line, not far',
    alphabeta: 'Alpha-beta',
    alphabetaText: 'looks far into the useful lines',
    mcts: 'Monte Carlo',
    mctsText: 'plays whole games in thought',
    seconds: (n: string) => `${n} s per move`,
    computer: 'Computer',
    level: (n: string) => `Level ${n}`,
  },
});
const KNOWN = ['random', 'greedy', 'minimax', 'alphabeta', 'mcts'] as const;

function known(spec: string): (typeof KNOWN)[number] | undefined {
  return KNOWN.find((name) => name === spec.split(':')[0]);
}

const PROGRAM = /^(bot|program|codingame|champion):/;

/** Is it a program that somebody wrote, and not one of ours? */
export function isProgram(spec: string): boolean {
  return spec === 'program' || PROGRAM.test(spec);
}

/** `bot:fox` is called fox, `program:/usr/bin/python3 bots/fox.py` fox.py: what is run, without where it lies. */
function programName(spec: string): string {
  const [first = '', ...rest] = spec.replace(PROGRAM, '').trim().split(/\s+/);
  const base = (path: string) => path.split(/[\\/]/).at(-1)!;
  const file = rest.find((word) => /^[^-].*[./]./.test(word));
  return file ? base(file) : [base(first), ...rest].join(' ');
}

/** `alphabeta:time=1` is called Alpha-bêta. */
export function playerName(spec: string): string {
  const kind = known(spec),
    level = /^level:(\d)$/.exec(spec);
  if (level) return words().level(level[1]!);
  if (isProgram(spec)) return programName(spec);
  return kind ? words()[kind] : spec.replaceAll('_', ' ') || words().computer;
}

/** The same with what it does, for a list to choose from. */
export function playerLine({ spec, label }: { spec: string; label: Words }): string {
  const kind = known(spec);
  if (!kind) return say(label).replace(/^./, (letter) => letter.toUpperCase());
  const time = /time=([\d.]+)/.exec(spec);
  return `${words()[kind]} — ${words()[`${kind}Text`]}${time ? ` (${words().seconds(number(Number(time[1]), 2))})` : ''}`;
}
