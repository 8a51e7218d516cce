// Who this browser belongs to: a name that was chosen, and the key that proves it, which is also what its setups and
// seats are held by. The key is made here; another device gets it by a link, behind the # of its address.

import { at } from '$lib/base';
import { callMe, drop, forget, hold, keep, keys, matches, owner, recall } from '$lib/keep';
import type { Me } from './api';

const OWN = /^(person|name|arena\.name|owner(\.before)?|puzzles|lobby|muted|drafts\..+)$/; // of all that is kept here
const SECRET = /^owner/;
const KEY = /^[A-Za-z0-9_-]{16,128}$/;
let known = $state<string>(recall('person', ''));

/** The name of this browser's person; empty if nobody has chosen one. */
export function personName(): string {
  return known;
}

/** The server says who this is: their matches can be played from here. */
export function recognise(me: Me): void {
  known = me.name;
  keep('person', me.name);
  callMe(me.name);
  for (const { match, game, seat } of me.playing) hold(match, game, [{ seat, token: owner() }]);
}

/** The server knows nobody by this key. */
export function unknown(): void {
  known = '';
  keep('person', '');
}

/** What stands behind the # of a link that was opened, and stands there no more. */
export function taken(name: 'key' | 'friend'): string {
  const value = new URLSearchParams(location.hash.slice(1)).get(name) ?? '';
  if (value) history.replaceState(null, '', location.pathname);
  return KEY.test(value) || (name === 'friend' && value.length < 65) ? value : '';
}

/** This device becomes somebody's. The page begins anew, for all that it has asked for was for another. */
export function adopt(key: string, name: string): void {
  keep('owner.before', owner()); // should it have had setups
  keep('owner', key);
  keep('person', name);
  location.replace(at('/me'));
}

/** What this browser keeps of its person and the server does not: puzzles, lessons, drafts. No secrets. */
export function kept(): Record<string, unknown> {
  const told = keys().filter((key) => OWN.test(key) && !SECRET.test(key));
  return Object.fromEntries(told.map((key) => [key, recall(key, null)]));
}

/** Nothing of them is left here. */
export function erase(): void {
  const key = owner();
  for (const match of matches()) if (match.seats.some((seat) => seat.token === key)) forget(match.id);
  for (const name of keys()) if (OWN.test(name)) drop(name);
  known = '';
  location.replace(at('/'));
}
