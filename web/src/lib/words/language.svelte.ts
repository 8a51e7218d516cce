// The language of the page: the browser's at first, then what the reader chose. Words are typed tables, French first:
// `const words = table({ fr: { fire: 'Feu' }, en: { fire: 'Fire' } })`, then `words().fire`. A key that one language
// lacks does not compile, and a test reads every table of every file as well. (The usual library brings half a
// gigabyte.)

import type { Words } from '$lib/board/contract';

export type Language = 'fr' | 'en';

const KEPT = 'quincunx.language';

function first(): Language {
  const kept = globalThis.localStorage?.getItem(KEPT);
  if (kept === 'fr' || kept === 'en') return kept;
  const wanted = globalThis.navigator?.languages ?? ['fr'];
  return wanted.map((tag) => tag.slice(0, 2)).find((tag) => tag === 'fr' || tag === 'en') === 'en' ? 'en' : 'fr';
}

let chosen = $state<Language>(first());

export function language(): Language {
  return chosen;
}

/** The reader's own kind of the language: dates are written one way in London and another in New York. */
export function locale(): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === chosen) ?? chosen;
}

export function speak(to: Language): void {
  chosen = to;
  localStorage.setItem(KEPT, to);
  document.documentElement.lang = to;
}

/** Words of the server, in the reader's language. */
export function say(words: Words): string {
  return words[chosen];
}

/** A heading and what it is about: « Règles : Khet », “Rules: Khet”. */
export function about(heading: string, what: string): string {
  return chosen === 'fr' ? `${heading}\u00a0: ${what}` : `${heading}: ${what}`;
}

/** A number as the reader's language writes it: −12,5 or −12.5. */
export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(chosen, { maximumFractionDigits: digits }).format(value).replace('-', '−');
}

type Said = string | ((...values: never[]) => string);

/** A table of words; call it to get the ones of the present language. */
export function table<T extends Record<string, Said>>(both: {
  fr: T;
  en: { [K in keyof T]: T[K] extends string ? string : T[K] };
}): () => T {
  return () => both[chosen] as T;
}
