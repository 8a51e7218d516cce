// What `changed` makes of the update before it: what is not said stays; where the update has a list, an object names
// places of it ({"5": true}); time that runs is counted down here and not told again. As match/changes.py of the server.

import type { Changed, Update } from './wire';

type Fields = Record<string, unknown>;

/** The update that follows `before`, so many milliseconds later. */
export function patched(before: Update, changed: Changed, passed: number): Update {
  const { type: _type, shown, acted = [], ...said } = changed;
  const begun = before.seats.every(({ kind }) => kind !== 'open' && kind !== 'awaited');
  const runs = new Set(begun ? before.to_act : []); // no clock runs before everybody has come
  const fresh: Fields = {
    ...before,
    clocks: before.clocks.map((left, seat) => (left !== null && runs.has(seat) ? Math.max(0, left - passed) : left)),
    to_act: before.to_act.filter((seat) => !acted.includes(seat)),
    story: [],
    recap: false,
    retold: false,
  };
  for (const [name, value] of Object.entries(said)) fresh[name] = put(fresh[name], value);
  if (shown) fresh.shown = after(before.shown as Fields, shown);
  return fresh as Update;
}

/** What is shown after a change of it. */
export function after(old: Fields, said: Fields): Fields {
  return { ...old, ...Object.fromEntries(Object.entries(said).map(([name, value]) => [name, put(old[name], value)])) };
}

function put(old: unknown, said: unknown): unknown {
  if (!Array.isArray(old) || Array.isArray(said) || typeof said !== 'object' || said === null) return said;
  const places = said as Fields;
  return old.map((value: unknown, place) => (String(place) in places ? places[place] : value));
}
