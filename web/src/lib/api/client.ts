// The server's REST, typed by its own schema. Every call gives the answer or throws a Problem that can be shown.

import createClient from 'openapi-fetch';
import { SITE } from '$lib/base';
import type { Words } from '$lib/board/contract';
import { owner } from '$lib/keep';
import { venue } from '$lib/venue';
import type { components, paths } from './schema';

type Schemas = components['schemas'];
export type GameShown = Schemas['GameShown'];
export type Option = Schemas['Option'];
export type Length = Schemas['Length'];
export type Start = Schemas['Start'];
export type Listed = Schemas['Listed'];
export type NewMatch = Schemas['NewMatch'];
export type WantedSeat = Schemas['WantedSeat'];
export type ClockRule = Schemas['ClockRule'];
export type Made = Schemas['Made'];
export type SetupShown = Schemas['SetupShown'];
export type Server = Schemas['ServerShown'];
export type Frame = Schemas['Frame'];
export type Analysed = Schemas['Analysed'];
export type Replayed = Schemas['Replayed'];
export type Place = Schemas['Place'];
export type Placed = Schemas['Placed'];
export type StudyNode = Schemas['Node'];
export type StudyListed = Schemas['StudyListed'];
export type ContestListed = Schemas['ContestListed'];
export type PuzzleAsked = Schemas['Asked'];
export type LessonShown = Schemas['LessonShown'];
export type Exercises = Schemas['Exercises'];
export type Values = Record<string, boolean | number | string>;

export class Problem extends Error {
  constructor(
    readonly code: string,
    readonly words: Words,
    /** What of a form it is about: `options.seats`, `setup`, `clock`. */
    readonly field = '',
    /** Of HTTP; 0 if nobody answered. */
    readonly status = 0,
  ) {
    super(words.en);
  }

  /** Nobody answers, or not just now: later, perhaps. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const AWAY: Words = { fr: 'Le serveur ne répond pas.', en: 'The server does not answer.' };

export const client = createClient<paths>({
  baseUrl: `${SITE}/`,
  headers: { 'X-Owner': owner() },
  fetch: (request) => (venue()?.fetch ?? fetch)(request),
});

/** The answer, or a Problem thrown. */
export async function given<T>(asked: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await asked.catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : new Problem('away', AWAY);
  });
  if (response.ok) return data as T;
  const said = error as { code?: string; words?: Words; field?: string } | undefined;
  if (said?.words?.fr) throw new Problem(said.code ?? 'refused', said.words, said.field, response.status);
  throw new Problem('away', AWAY);
}

/** Whatever went wrong, in words. */
export function wordsOf(error: unknown): Words {
  if (error instanceof Problem) return error.words;
  console.error(error);
  return AWAY;
}

let known: Promise<GameShown[]> | undefined;

export const api = {
  games: (): Promise<GameShown[]> => {
    const asked = (known ??= given(client.GET('/api/games')) as Promise<GameShown[]>);
    asked.catch(() => (known = undefined)); // asked again next time
    return asked;
  },
  game: async (id: string): Promise<GameShown> => {
    const found = (await api.games()).find((game) => game.card.id === id);
    if (!found) throw new Problem('no_such_game', { fr: 'Ce jeu n’existe pas.', en: 'There is no such game.' }, '', 404);
    return found;
  },
  preview: (game: string, body: Start, signal?: AbortSignal) =>
    given(client.POST('/api/games/{game}/preview', { params: { path: { game } }, body, signal: signal ?? null })),
  matches: (query: { status?: 'open' | 'playing' | 'over'; game?: string; before?: string; limit?: number }) =>
    given(client.GET('/api/matches', { params: { query } })),
  match: (id: string) => given(client.GET('/api/matches/{id}', { params: { path: { id } } })),
  look: (id: string) => given(client.GET('/api/matches/{id}/look', { params: { path: { id } } })),
  make: (body: NewMatch) => given(client.POST('/api/matches', { body })),
  join: (id: string, body: Schemas['Join']) =>
    given(client.POST('/api/matches/{id}/join', { params: { path: { id } }, body })),
  rematch: (id: string, tokens: string[]) =>
    given(client.POST('/api/matches/{id}/rematch', { params: { path: { id } }, body: { tokens } })),
  fork: (id: string, body: Schemas['Fork']) =>
    given(client.POST('/api/matches/{id}/fork', { params: { path: { id } }, body })),
  hint: (id: string, tokens: string[], seat: number) =>
    given(client.POST('/api/matches/{id}/hint', { params: { path: { id } }, body: { tokens, seat } })),
  analysis: (id: string, have: number) =>
    given(client.POST('/api/matches/{id}/analysis', { params: { path: { id } }, body: { have } })),
  position: (body: Place) => given(client.POST('/api/positions', { body })),
  /** A line of numbers as texts. */
  spell: (body: Schemas['Foreseen']) => given(client.POST('/api/positions/words', { body })),
  thought: (body: Place) => given(client.POST('/api/positions/thought', { body })),
  openings: (game: string, position: string) =>
    given(client.GET('/api/games/{game}/openings/{position}', { params: { path: { game, position } } })),
  studies: () => given(client.GET('/api/studies')),
  study: (id: string) => given(client.GET('/api/studies/{id}', { params: { path: { id } } })),
  keepStudy: (body: Schemas['NewStudy']) => given(client.POST('/api/studies', { body })),
  changeStudy: (id: string, body: Schemas['StudyChange']) =>
    given(client.PUT('/api/studies/{id}', { params: { path: { id } }, body })),
  deleteStudy: (id: string) => given(client.DELETE('/api/studies/{id}', { params: { path: { id } } })),
  outlook: (id: string, tokens: string[], seat: number) =>
    given(client.POST('/api/matches/{id}/outlook', { params: { path: { id } }, body: { tokens, seat } })),
  outlooks: (id: string, from: number) =>
    given(client.GET('/api/matches/{id}/outlooks', { params: { path: { id }, query: { from } } })),
  replay: (id: string, query: { seat: number; from: number; count: number; board: boolean }) =>
    given(client.GET('/api/matches/{id}/replay', { params: { path: { id }, query } })),
  record: (id: string) => given(client.GET('/api/matches/{id}/record', { params: { path: { id } } })),
  importRecord: (file: string) =>
    given(
      client.POST('/api/records', {
        body: file as never,
        bodySerializer: (body) => body as never,
        headers: { 'Content-Type': 'application/json' },
      }),
    ),
  contests: (limit = 50) => given(client.GET('/api/contests', { params: { query: { limit } } })),
  reel: (id: string, pairing: number, number: number, query: { frames: number; board: boolean }) =>
    given(client.GET('/api/contests/{id}/records/{pairing}/{number}/reel', { params: { path: { id, pairing, number }, query } })),
  openContestMatch: (id: string, pairing: number, number: number) =>
    given(client.POST('/api/contests/{id}/records/{pairing}/{number}/open', { params: { path: { id, pairing, number } } })),
  contestResults: (id: string, player: string, limit: number) =>
    given(client.GET('/api/contests/{id}/results', { params: { path: { id }, query: { player, limit } } })),
  exercises: () => given(client.GET('/api/exercises')),
  puzzles: (game: string) => given(client.GET('/api/games/{game}/puzzles', { params: { path: { game } } })),
  puzzle: (game: string, id: string) =>
    given(client.GET('/api/games/{game}/puzzles/{id}', { params: { path: { game, id } } })),
  tryPuzzle: (game: string, id: string, action: string) =>
    given(client.POST('/api/games/{game}/puzzles/{id}/try', { params: { path: { game, id } }, body: { action } })),
  solvePuzzle: (game: string, id: string) =>
    given(client.GET('/api/games/{game}/puzzles/{id}/solution', { params: { path: { game, id } } })),
  lesson: (game: string, id: string) =>
    given(client.GET('/api/games/{game}/lessons/{id}', { params: { path: { game, id } } })),
  kits: () => given(client.GET('/api/kits')),
  setups: (game: string) => given(client.GET('/api/setups', { params: { query: { game } } })),
  setup: (id: string) => given(client.GET('/api/setups/{id}', { params: { path: { id } } })),
  saveSetup: (body: Schemas['NewSetup']) => given(client.POST('/api/setups', { body })),
  changeSetup: (id: string, body: Schemas['Change']) =>
    given(client.PUT('/api/setups/{id}', { params: { path: { id } }, body })),
  deleteSetup: (id: string) => given(client.DELETE('/api/setups/{id}', { params: { path: { id } } })),
  server: (): Promise<Server> => given(client.GET('/api/server')),
  openLan: (): Promise<Server> => given(client.POST('/api/server/lan')),
};
