// Where matches are: on the server that gave the pages, or, if somebody said so, elsewhere; the games of the site hold
// them in this very browser (src/offline/). It answers the addresses of the server's REST and takes lines to tables.

import type { Wire } from '$lib/match/socket';

export interface Venue {
  fetch: (request: Request) => Promise<Response>;
  dial: (address: string) => Wire;
  /** Loads what it needs, before anybody asks. */
  prepare: () => void;
}

let elsewhere: Venue | undefined;

export function venue(): Venue | undefined {
  return elsewhere;
}

/** Is there nobody else: no lobby, no invitations, no programs? */
export function offline(): boolean {
  return elsewhere !== undefined;
}

/** Said once, before any page is shown. */
export function meetAt(place: Venue): void {
  elsewhere = place;
}
