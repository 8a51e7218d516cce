// A pupil's side of a class: the name is theirs by a key that this browser keeps; it is no password.

import { BASE } from '$lib/base';
import { keep, recall } from '$lib/keep';
import { Asked } from '$lib/ui/asked.svelte';
import { quoted } from '$lib/ui/shell';
import { classroom, type Pupil, type PupilContest, type PupilPage, type Upload } from './api';

const KEPT = 'class.pupils';
const EVERY = 2500; // milliseconds
const IN_BACKGROUND = 7500; // who writes in an editor beside it is still there
const MOST = 20; // classes; the oldest go first

/** Letters and digits in capitals: however somebody types or pastes it. */
export function tidyCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

function kept(): Pupil[] {
  return recall<Pupil[]>(KEPT, []);
}

/** Who this browser is in that class, or in the one that it was in last. */
export function known(code = ''): Pupil | null {
  return kept().find((each) => !code || each.code === code) ?? null;
}

export function remember(who: Pupil): void {
  keep(KEPT, [who, ...kept().filter((each) => each.code !== who.code)].slice(0, MOST));
}

export function forget(code: string): void {
  keep(
    KEPT,
    kept().filter((each) => each.code !== code),
  );
}

/** The code of the link that somebody came with; it stays in the address, for it is no secret in the room. */
export function linked(at: Location = location): string {
  return tidyCode(new URLSearchParams(at.hash.slice(1)).get('code') ?? '');
}

export class InClass {
  readonly asked: Asked<PupilPage>;

  constructor(readonly who: Pupil) {
    this.asked = new Asked(() => classroom.pupil(who), EVERY, IN_BACKGROUND);
  }

  /** Throws what the server says against it. */
  async upload(file: Upload): Promise<void> {
    this.asked.show(await classroom.upload(this.who, file));
  }

  close(): void {
    this.asked.close();
  }
}

/** What a pupil types to let a program of theirs play: nothing to fill in but how it is run. */
export function commandOf(page: Pick<PupilPage, 'addresses'>, contest: Pick<PupilContest, 'id'>, who: Pupil): string {
  const base = page.addresses[0] ?? location.origin + BASE;
  return `quincunx bot --arena ${base}/contest/${contest.id} --name ${quoted(who.name)} --key ${who.key} -- `;
}
