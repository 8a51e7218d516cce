// What pages ask about people. Every call says with X-Owner who asks (client.ts).

import { client, given, type ClockRule } from '$lib/api/client';
import type { components } from '$lib/api/schema';

type Schemas = components['schemas'];
export type Me = Schemas['Me'];
export type HistoryLine = Schemas['HistoryLine'];
export type Standing = Schemas['Standing'];
export type SeekShown = Schemas['SeekShown'];
export type Sought = Schemas['Sought'];
export type NewSeek = Schemas['NewSeek'];
export type PersonShown = Schemas['PersonShown'];

export const people = {
  beCalled: (name: string) => given(client.POST('/api/people', { body: { name } })),
  me: () => given(client.GET('/api/people/me')),
  /** Whose key is this? */
  meWith: (key: string) => given(client.GET('/api/people/me', { headers: { 'X-Owner': key } })),
  history: (before?: string) =>
    given(client.GET('/api/people/me/history', { params: { query: before ? { before } : {} } })),
  everything: () => given(client.GET('/api/people/me/export', { parseAs: 'blob' })) as Promise<unknown> as Promise<Blob>,
  forget: () => given(client.DELETE('/api/people/me')),
  device: () => given(client.POST('/api/people/me/device')),
  favour: (game: string, setup: string, wanted: boolean) =>
    given(client.POST('/api/people/me/favourites', { body: { game, setup, wanted } })),
  befriend: (code: string) => given(client.POST('/api/people/me/friends', { body: { code } })),
  unfriend: (name: string) => given(client.POST('/api/people/me/friends/remove', { body: { name } })),
  of: (match: string) => given(client.GET('/api/matches/{id}/people', { params: { path: { id: match } } })),
  seeks: () => given(client.GET('/api/seeks')),
  seek: (body: NewSeek) => given(client.POST('/api/seeks', { body })),
  /** Also when the page is being left. */
  stopSeeking: () => given(client.DELETE('/api/seeks', { keepalive: true })),
};

const MINUTE = 60_000;

/** The clocks with which opponents are looked for: few, so that people meet. The server knows the same. */
export const CLOCKS: { name: 'quick' | 'normal' | 'long' | 'daily'; clock: Required<ClockRule> }[] = [
  { name: 'quick', clock: { kind: 'fischer', base: 3 * MINUTE, turn: 5000 } },
  { name: 'normal', clock: { kind: 'fischer', base: 10 * MINUTE, turn: 10_000 } },
  { name: 'long', clock: { kind: 'fischer', base: 30 * MINUTE, turn: 30_000 } },
  { name: 'daily', clock: { kind: 'move', base: 0, turn: 24 * 60 * MINUTE } },
];
