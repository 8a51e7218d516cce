// Where a match stands, in a word or two: above the panel, in the title of the page, read aloud.

import type { MatchOnScreen } from './match.svelte';
import { words } from './words';

export function statusOf(match: MatchOnScreen, names: string[], lesson: boolean): string {
  const { now, yours } = match;
  if (!now) return '';
  if (now.outcome) return words().over;
  if (now.seats.some(({ kind }) => kind === 'open')) return words().waiting;
  if (!match.begun) return words().waitingFor(names.filter((_, n) => now.seats[n]!.kind === 'awaited').join(', '));
  const acting = match.seat ?? now.to_act.find((n) => yours.includes(n)) ?? null; // also while its move is told
  if (acting !== null) return yours.length === 1 || lesson ? words().yourTurn : words().turnOf(names[acting] ?? '');
  if (now.to_act.length && now.to_act.every((n) => match.queued.has(n))) return words().queued;
  const who = now.to_act.map((n) => names[n]).filter(Boolean);
  return who.length ? words().turnOf(who.slice(0, 3).join(', ')) : '';
}
