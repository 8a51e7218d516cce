// What the page and the worker with its Python say to each other.

import type { Task } from '$lib/engine/opponent';

/** offline/thinking.py says it. */
export interface Job extends Task {
  game: string;
  sources: string;
  seat: number;
  /** In base64. */
  view: string;
}

export type ToHouse =
  | { kind: 'begin'; kept: Record<string, string> }
  | { kind: 'ask'; n: number; method: string; path: string; query: string; body: string }
  | { kind: 'sit'; line: number; id: string }
  | { kind: 'say'; line: number; text: string }
  | { kind: 'leave'; line: number }
  /** What another page kept of a match; null: it was forgotten. */
  | { kind: 'learn'; id: string; text: string | null }
  | { kind: 'thought'; n: number; action: string; chance: number | null };

export type FromHouse =
  | { kind: 'answer'; n: number; status: number; text: string }
  | { kind: 'sat'; line: number; well: boolean }
  | { kind: 'heard'; line: number; text: string }
  | { kind: 'keep'; id: string; text: string }
  | { kind: 'think'; n: number; job: Job }
  | { kind: 'failed'; why: string };
