// What people at a table can say with one press. The server knows the names; each reads the words in their own language.

import type { components } from '$lib/api/schema';
import { table } from '$lib/words/language.svelte';

export type Phrase = NonNullable<components['schemas']['Say']['phrase']>;

const words = table({
  fr: {
    hello: 'Bonjour !',
    good_luck: 'Bonne chance !',
    well_played: 'Bien joué !',
    thanks: 'Merci !',
    nice_move: 'Joli coup !',
    oops: 'Oups…',
    one_moment: 'Un instant, je reviens.',
    sorry: 'Pardon.',
    again: 'On rejoue ?',
    bye: 'Au revoir !',
  },
  en: {
    hello: 'Hello!',
    good_luck: 'Good luck!',
    well_played: 'Well played!',
    thanks: 'Thanks!',
    nice_move: 'Nice move!',
    oops: 'Oops…',
    one_moment: 'One moment, I’ll be back.',
    sorry: 'Sorry.',
    again: 'Again?',
    bye: 'Goodbye!',
  },
});

export const PHRASES = [
  'hello', 'good_luck', 'nice_move', 'well_played', 'thanks', 'oops', 'sorry', 'one_moment', 'again', 'bye',
] as const satisfies readonly Phrase[];

/** In the reader's language; nothing, if this page is older than the server and does not know it. */
export function phraseText(phrase: string): string {
  return (words() as Record<string, string>)[phrase] ?? '';
}
