// The teacher's side of a class. The token comes with the link that the server printed, in the part of the address that
// no server sees; it is kept by this browser, and taken out of the address.

import type { Words } from '$lib/board/contract';
import { keep, recall } from '$lib/keep';
import { Asked } from '$lib/ui/asked.svelte';
import { language } from '$lib/words/language.svelte';
import { classroom, type ClassContest, type NewContest, type TeacherPage } from './api';

const KEPT = 'classroom.token';
const EVERY = 2000; // milliseconds

/** The token of the link that somebody came with, if there is one; the address is clean afterwards. */
export function brought(at: Location = location): string | null {
  const token = new URLSearchParams(at.hash.slice(1)).get('token');
  if (token) {
    keep(KEPT, token);
    history.replaceState(null, '', at.pathname);
  }
  return token;
}

export function keptToken(): string {
  return recall(KEPT, '');
}

export class Teacher {
  readonly asked: Asked<TeacherPage>;
  /** Why the last thing that was wanted did not happen. */
  problem = $state.raw<Words | null>(null);
  /** What is being done: a button that was pressed waits for its answer. */
  busy = $state('');
  #line: Promise<unknown> = Promise.resolve();

  constructor(private token: string) {
    this.asked = new Asked(() => classroom.teacher(token), EVERY);
  }

  close(): void {
    this.asked.close();
  }

  /** The id of the new contest; null, if it was refused: that is for the form to say. */
  async open(wanted: NewContest): Promise<string> {
    const { id } = await classroom.open(this.token, wanted);
    await this.asked.refresh();
    return id;
  }

  accept(contest: ClassContest, names: readonly string[], accepted: boolean): Promise<boolean> {
    return this.#do(`accept ${contest.id}`, async () => {
      let page: TeacherPage | undefined;
      for (const name of names) page = await classroom.accept(this.token, contest.id, name, accepted);
      return page;
    });
  }

  round(contest: ClassContest): Promise<boolean> {
    return this.#do(`round ${contest.id}`, () => classroom.round(this.token, contest.id));
  }

  end(contest: ClassContest): Promise<boolean> {
    return this.#do(`end ${contest.id}`, () => classroom.close(this.token, contest.id));
  }

  remove(name: string): Promise<boolean> {
    return this.#do(`remove ${name}`, () => classroom.remove(this.token, name));
  }

  /** As a file that spreadsheets open. */
  marks(contest: ClassContest): Promise<boolean> {
    return this.#do(`marks ${contest.id}`, async () => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await classroom.marks(this.token, contest.id, language()));
      link.download = `${fileName(contest.name || contest.game)}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  }

  /** One thing after the other, however fast somebody clicks. */
  #do(what: string, work: () => Promise<TeacherPage | void>): Promise<boolean> {
    const done = this.#line.then(async () => {
      this.busy = what;
      this.problem = await this.asked.after(work);
      this.busy = '';
      return this.problem === null;
    });
    this.#line = done;
    return done;
  }
}

/** `Khet, 18 nov.` becomes Khet-18-nov: letters and digits of any language, nothing that a file system minds. */
export function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || 'quincunx';
}

export interface Readiness {
  accepted: number;
  ready: number;
  waiting: string[];
}

/** Who could play a round now, and who waits to be accepted. */
export function readiness({ entrants }: Pick<ClassContest, 'entrants'>): Readiness {
  const accepted = entrants.filter((each) => each.accepted);
  return {
    accepted: accepted.length,
    ready: accepted.filter((each) => each.present).length,
    waiting: entrants.filter((each) => !each.accepted).map((each) => each.name),
  };
}
