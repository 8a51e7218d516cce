import { expect, test } from 'vitest';
import { named, ofName } from './named';

const WORDS = {
  fr: 'Le voleur du joueur 2 perd 2 points de vie, par le joueur 1. Le joueur 3 a scellé.',
  en: 'Player 2’s thief loses 2 health to player 1. Player 3 has sealed.',
};

test('players have their names in sentences that only know seats', () => {
  expect(named(WORDS, ['Ada', 'Blaise', 'Zoé'])).toEqual({
    fr: 'Le voleur de Blaise perd 2 points de vie, par Ada. Zoé a scellé.',
    en: 'Blaise’s thief loses 2 health to Ada. Zoé has sealed.',
  });
});

test('French elides and contracts; a seat without a name keeps its number', () => {
  expect(named(WORDS, ['', 'Ada']).fr).toMatch(/^Le voleur d’Ada perd .*, par le joueur 1\. Le joueur 3/);
  expect(named(WORDS, ['', 'Niveau 2']).fr).toMatch(/^Le voleur du niveau 2 perd/);
  expect(named(WORDS, [])).toEqual(WORDS);
});

test.each([
  ['Ada', 'd’Ada'],
  ['Blaise', 'de Blaise'],
  ['Niveau 2', 'du niveau 2'],
  ['Camp A', 'du camp A'],
  ['Joueur 1', 'du joueur 1'],
  ['Camp volant', 'de Camp volant'],
])('%s: %s', (name, of) => expect(ofName(name)).toBe(of));
