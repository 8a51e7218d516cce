// A cell in words, for those who do not see the map.

import { KINDS, many, readyOf, type Place } from './shown';
import { words } from './words';

export function describe(place: Place | undefined, cell: string, observer: number, names: string[]): string {
  const said = [words().cell(cell)];
  if (!place) return `${said[0]}, ${words().unknownCell}`;
  if (!place.seen) said.push(words().remembered((place.since ?? 0) + 1));
  for (const stack of place.stacks) {
    const whose = stack.owner === observer ? words().mine : words().of(names[stack.owner] ?? 'AB'[stack.owner]!);
    for (const kind of KINDS) {
      const n = many(stack, kind);
      const ready = readyOf(stack, kind);
      const able =
        ready === null
          ? ''
          : ready
            ? ` (${words().readyOf(ready, n)} ${words().ready(ready)})`
            : ` (${words().nobodyReady(n)})`;
      if (n) said.push(`${words().unit(n, kind)} ${whose}${able}`);
    }
  }
  if (place.gold) said.push(words().goldThere(place.gold));
  if (place.reaped) said.push(words().reaped);
  if (!place.gold && !place.stacks.length) said.push(words().emptyCell);
  return said.join(', ');
}
