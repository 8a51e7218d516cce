// The server's REST, typed by its own schema. Every call gives the answer or throws a Problem that can be shown.

import createClient from 'openapi-fetch';
import type { Words } from '$lib/board/contract';
import { owner } from '$lib/keep';
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
export type Values = Record<string, boolean | number | string>;

export class Problem extends Error {
  constructor(
    readonly code: string,
    readonly words: Words,
    /** What of a form it is about: `options.seats`, `setup`, `clock`. */
    readonly field = '',
  ) {
    super(words.en);
  }
}

const AWAY: Words = { fr: 'Le serveur ne répond pas.', en: 'The server does not answer.' };

const client = createClient<paths>({ baseUrl: '/', headers: { 'X-Owner': owner() } });

async function given<T>(asked: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await asked.catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : new Problem('away', AWAY);
  });
  if (response.ok) return data as T;
  const said = error as { code?: string; words?: Words; field?: string } | undefined;
  if (said?.words?.fr) throw new Problem(said.code ?? 'refused', said.words, said.field);
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
    if (!found) throw new Problem('no_such_game', { fr: 'Ce jeu n’existe pas.', en: 'There is no such game.' });
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
  setups: (game: string) => given(client.GET('/api/setups', { params: { query: { game } } })),
  setup: (id: string) => given(client.GET('/api/setups/{id}', { params: { path: { id } } })),
  saveSetup: (body: Schemas['NewSetup']) => given(client.POST('/api/setups', { body })),
  changeSetup: (id: string, body: Schemas['Change']) =>
    given(client.PUT('/api/setups/{id}', { params: { path: { id } }, body })),
  deleteSetup: (id: string) => given(client.DELETE('/api/setups/{id}', { params: { path: { id } } })),
  server: (): Promise<Server> => given(client.GET('/api/server')),
  openLan: (): Promise<Server> => given(client.POST('/api/server/lan')),
};
