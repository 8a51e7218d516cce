// What was said in a question, taken apart: messages of JSON, or lines of another protocol; answers with what became of
// each of them.

import type { StoryEvent } from '$lib/board/contract';
import type { Question } from './log';

/** One thing that a program was told. */
export interface Heard {
  text: string;
  /** Of a message in JSON. */
  type: string | null;
  value: Record<string, unknown> | null;
}

export interface Answer {
  text: string;
  /** What it does, if that can be read. */
  action: string | null;
  resigns: boolean;
  /** Why it was not taken. */
  refused: string | null;
}

function object(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** What it was told, message by message; lines of a text protocol stay together. */
export function heard({ told }: Pick<Question, 'told'>): Heard[] {
  const messages: Heard[] = [];
  for (const text of told.replace(/\n$/, '').split('\n')) {
    const value = object(text);
    const type = typeof value?.type === 'string' ? value.type : null;
    const before = messages.at(-1);
    if (type === null && before?.type === null) before.text += `\n${text}`;
    else messages.push({ text, type, value: type === null ? null : value });
  }
  return told ? messages : [];
}

/** Those that a reader wants first: updates. */
export function foremost(messages: readonly Heard[]): Heard[] {
  const news = ({ type }: Heard) => type === 'update' || type === null;
  return [...messages.filter(news), ...messages.filter((message) => !news(message))];
}

export function answers({ said, refused }: Pick<Question, 'said' | 'refused'>): Answer[] {
  return said.map((text, n) => {
    const value = object(text);
    const action = value ? (typeof value.action === 'string' ? value.action : null) : text.trim();
    return { text, action, resigns: value?.what === 'resign', refused: refused[n] ?? null };
  });
}

/** What a program meant to do in the end: the answer that stands, or the last one. */
export function choice(question: Pick<Question, 'said' | 'refused'>): Answer | null {
  const all = answers(question);
  return all.findLast((answer) => answer.refused === null) ?? all.at(-1) ?? null;
}

/** What of an update a reader wants first. */
export interface Gist {
  legal: string[];
  story: StoryEvent[];
  /** Milliseconds on the clock of its seat. */
  clock: number | null;
  shown: unknown;
}

export function gist(update: Record<string, unknown>): Gist {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const clock = list(update.clocks)[Number(update.observer)];
  return {
    legal: list(update.legal).map(String),
    story: list(update.story).filter((event) => !!(event as StoryEvent | null)?.words) as StoryEvent[],
    clock: typeof clock === 'number' ? clock : null,
    shown: update.shown,
  };
}

/** The word before the colon in `late: The program did not answer in time.` */
export function troubleCode(trouble: string): string {
  return /^[a-z_]+(?=:)/.exec(trouble)?.[0] ?? '';
}
