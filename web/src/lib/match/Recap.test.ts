import { flushSync, mount, unmount } from 'svelte';
import { expect, test } from 'vitest';
import { speak } from '$lib/words/language.svelte';
import type { MatchOnScreen } from './match.svelte';
import Recap from './Recap.svelte';

const event = (turn: number, by: number, fr: string) => ({ kind: 'walk', turn, by, words: { fr, en: fr } });

test('whose deed it was is said once a turn: with three players "a civilian goes" is nobody’s', () => {
  speak('fr');
  const recap = [event(4, 1, 'un civil va de a1 à a2'), event(4, 1, 'il meurt'), event(4, 2, 'un civil va de b1 à b2')];
  const sides = ['Rouge', 'Vert', 'Bleu'].map((name) => ({ fr: name, en: name }));
  const shown = mount(Recap, {
    target: document.body,
    props: { match: { recap } as unknown as MatchOnScreen, names: [], sides },
  });
  flushSync();
  expect([...document.querySelectorAll('li')].map((line) => line.textContent)).toEqual([
    '4. Vert\u00a0: un civil va de a1 à a2',
    'Il meurt',
    '4. Bleu\u00a0: un civil va de b1 à b2',
  ]);
  void unmount(shown);
});
