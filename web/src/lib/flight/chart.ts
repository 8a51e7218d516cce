// The chart of think time: a bar for each question. Answers take from a fraction of a millisecond to seconds, so the
// scale is logarithmic, and the limit is in sight however quick a program is.

import { number } from '$lib/words/language.svelte';
import type { Question } from './log';

export interface Bar {
  wall: number;
  cpu: number;
  limit: number | null;
  mark: 'trouble' | 'refused' | null;
}

export interface Chart {
  /** Shares of the height, from 0 to 1. */
  bars: Bar[];
  ticks: { share: number; label: string }[];
}

const FINEST = 0.1; // milliseconds, at the foot of the chart

export function chart(questions: readonly Question[]): Chart {
  const top = Math.max(10, ...questions.map(({ wall, allowed }) => Math.max(wall, allowed))) * 1.25;
  const share = (ms: number) => Math.max(0, Math.log(ms / FINEST) / Math.log(top / FINEST));
  const bars = questions.map(({ wall, cpu, allowed, trouble, refused }) => ({
    wall: Math.max(0.02, share(wall)), // something was asked
    cpu: share(Math.min(cpu, wall)),
    limit: allowed ? share(allowed) : null,
    mark: trouble ? ('trouble' as const) : refused.length ? ('refused' as const) : null,
  }));
  const marks = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].filter((ms) => ms < top);
  const few = marks.length > 4 ? marks.filter((_, n) => n % 2 === (marks.length - 1) % 2) : marks;
  return { bars, ticks: few.map((ms) => ({ share: share(ms), label: duration(ms) })) };
}

/** « 0,4 ms », « 35 ms », « 1,25 s » */
export function duration(ms: number): string {
  if (ms < 1000) return `${number(ms, ms < 10 ? 1 : 0)}\u00a0ms`;
  return `${number(ms / 1000, ms < 10_000 ? 2 : 1)}\u00a0s`;
}
