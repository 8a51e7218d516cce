// The analysis of a whole match in the page: move after move, as the server's would come, and one can stop it.

import { api, type Analysed } from '$lib/api/client';
import { NoEngine, Thinker, hasEngine } from './thinker';

type Verdict = Analysed['moves'][number];

const MOST = 200; // milliseconds about one position, and
const LEAST = 20;
const WHOLE = 90_000; // about all of a match
const PORTION = 200; // actions of one answer
const [MISTAKE, BLUNDER] = [0.1, 0.25]; // what the chance to win drops by: players/analysis.py

const mark = (drop: number) => (drop >= BLUNDER ? 'blunder' : drop >= MISTAKE ? 'mistake' : '');

/** Resolves when somebody looks at the page. */
function looked(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise<void>((done) => document.addEventListener('visibilitychange', () => done(), { once: true })).then(looked);
}

/** All verdicts, one after the other; NoEngine where this page cannot think. */
export async function* judged(game: string, id: string, wanted: () => boolean): AsyncGenerator<{ total: number; verdict: Verdict }> {
  if (!hasEngine(game)) throw new NoEngine(game);
  const thinker = new Thinker(game);
  try {
    for (let from = 0, total = 1; from < total; ) {
      const got = await api.outlooks(id, from);
      total = got.total;
      const time = Math.max(LEAST, Math.min(MOST, WHOLE / Math.max(1, 2 * total)));
      for (const move of got.moves) {
        await looked();
        if (!wanted()) return;
        const { best, after } = await thinker.judge({ ...move, sources: got.sources }, BigInt(move.number), time);
        const verdict: Verdict = {
          ...{ n: move.n, seat: move.seat, action: move.action, best: move.action, line: [] },
          ...{ before: best.chance, after, mark: mark(after === null ? 0 : best.chance - after) },
          ...{ depth: best.depth, nodes: best.nodes },
        };
        if (verdict.mark) {
          const numbers = best.line.map(({ action }) => String(action));
          verdict.line = await api.spell({ match: id, at: move.n - 1, numbers });
          verdict.best = verdict.line[0] ?? '';
        }
        yield { total, verdict };
      }
      from += PORTION;
    }
  } finally {
    thinker.close();
  }
}
