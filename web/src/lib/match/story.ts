// The story as people read it: turn by turn, the number and the side once, then what happened in clauses. The same text
// serves the list, the live region and replays.

import type { StoryEvent, Words } from '$lib/board/contract';
import { say } from '$lib/words/language.svelte';
import { named } from '$lib/words/named';

/** What one side did in one turn; `at` are the places of its lines among all events. */
export interface Chapter {
  turn: number;
  by: number;
  at: number[];
}

/** The events in chapters. Dice belong to whoever acted before them; what only a drawing needs has no line. */
export function chapters(events: readonly StoryEvent[]): Chapter[] {
  const found: Chapter[] = [];
  const once = new Set<string>();
  for (const [at, { turn, by, line = 'always', words }] of events.entries()) {
    if (line === 'never' || (line === 'once' && once.has(words.en))) continue;
    if (line === 'once') once.add(words.en);
    const last = found.at(-1);
    if (last?.turn === turn && (last.by === by || by < 0)) last.at.push(at);
    else found.push({ turn, by, at: [at] });
  }
  return found;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** “12. Red”; “Turn 12” where no side is to be named. */
export function heading({ turn, by }: Chapter, sides: readonly Words[]): string {
  return sides[by] ? `${turn}. ${say(sides[by])}` : `${say(TURN)} ${turn}`;
}

/** The same event with the players' names in its words. */
export function naming<Event extends StoryEvent>(event: Event, names: readonly string[]): Event {
  return { ...event, words: named(event.words, names) };
}

/** The whole in one breath: “12. Red: anubis G8–F7; the beam dies on A1.” */
export function spoken(events: readonly StoryEvent[], sides: readonly Words[]): string {
  return chapters(events)
    .map((chapter) => {
      const clauses = chapter.at.map((at) => say(events[at]!.words));
      const told = clauses.reduce((before, next) => before + (/[.!?…]$/.test(before) ? ' ' : say(SEMICOLON)) + next);
      const full = /[.!?…]$/.test(told) ? told : `${told}.`;
      return heading(chapter, sides) + say(COLON) + (sides[chapter.by] ? full : capital(full));
    })
    .join(' ');
}

const TURN: Words = { fr: 'Tour', en: 'Turn' };
const COLON: Words = { fr: '\u00a0: ', en: ': ' };
const SEMICOLON: Words = { fr: '\u00a0; ', en: '; ' };

/** How the sides are called in a game, as far as it says. */
export function sidesOf(names: readonly Words[] | undefined, seats: number): Words[] {
  return Array.from(
    { length: seats },
    (_, seat) => names?.[seat] ?? { fr: `Joueur ${seat + 1}`, en: `Player ${seat + 1}` },
  );
}
