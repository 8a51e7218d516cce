// What the pages of a class ask of the server. Tokens and keys go in bodies, never in addresses.

import { client, given } from '$lib/api/client';
import type { components } from '$lib/api/schema';
import type { Language } from '$lib/words/language.svelte';

type Schemas = components['schemas'];
export type TeacherPage = Schemas['TeacherPage'];
export type ClassContest = Schemas['ClassContest'];
export type ClassEntrant = Schemas['ClassEntrant'];
export type ClassPupil = Schemas['ClassPupil'];
export type PupilPage = Schemas['PupilPage'];
export type PupilContest = Schemas['PupilContest'];
export type MyEntrant = Schemas['MyEntrant'];
export type RoundState = Schemas['RoundState'];
export type Mishap = Schemas['Mishap'];
export type NewContest = Omit<Schemas['NewClassContest'], 'token'>;
export type UploadKind = PupilContest['kinds'][number];

/** Who a pupil is: the name, and what proves that it is theirs. */
export type Pupil = Schemas['PupilKey'];
export type Upload = Omit<Schemas['Upload'], keyof Pupil>;

export const classroom = {
  join: (body: Schemas['JoinClass']) => given(client.POST('/api/classroom/join', { body })),
  pupil: (body: Pupil) => given(client.POST('/api/classroom/pupil', { body })),
  upload: (who: Pupil, file: Upload) => given(client.POST('/api/classroom/upload', { body: { ...who, ...file } })),
  teacher: (token: string) => given(client.POST('/api/classroom/teacher', { body: { token } })),
  open: (token: string, wanted: NewContest) =>
    given(client.POST('/api/classroom/contests', { body: { token, ...wanted } })),
  accept: (token: string, id: string, name: string, accepted: boolean) =>
    given(client.POST('/api/classroom/contests/{id}/accept', { params: { path: { id } }, body: { token, name, accepted } })),
  round: (token: string, id: string) =>
    given(client.POST('/api/classroom/contests/{id}/round', { params: { path: { id } }, body: { token } })),
  close: (token: string, id: string) =>
    given(client.POST('/api/classroom/contests/{id}/close', { params: { path: { id } }, body: { token } })),
  /** A file for spreadsheets, with headings in that language. */
  marks: (token: string, id: string, language: Language) =>
    given(
      client.POST('/api/classroom/contests/{id}/marks', {
        params: { path: { id } },
        body: { token, language },
        parseAs: 'blob',
      }),
    ) as Promise<unknown> as Promise<Blob>,
  remove: (token: string, name: string) => given(client.POST('/api/classroom/pupils/remove', { body: { token, name } })),
};
