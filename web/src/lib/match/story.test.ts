import { expect, test } from 'vitest';
import { chapters, heading, sidesOf, spoken } from './story';

const said = (turn: number, by: number, en: string, line: 'always' | 'once' | 'never' = 'always') => ({
  kind: 'k',
  words: { fr: `${en} (fr)`, en },
  cells: [],
  turn,
  by,
  line,
});
const sides = [
  { fr: 'Gris', en: 'Silver' },
  { fr: 'Rouge', en: 'Red' },
];

test('number and side stand once; dice belong to whoever acted', () => {
  const events = [
    said(11, 0, 'a'),
    said(12, 1, 'b'),
    said(12, -1, 'dice'),
    said(12, 1, 'c'),
    said(13, -1, 'all at once'),
    said(13, 0, 'd'),
  ];
  expect(chapters(events)).toEqual([
    { turn: 11, by: 0, at: [0] },
    { turn: 12, by: 1, at: [1, 2, 3] },
    { turn: 13, by: -1, at: [4] },
    { turn: 13, by: 0, at: [5] },
  ]);
  expect(chapters(events).map((chapter) => heading(chapter, sides))).toEqual([
    '11. Silver',
    '12. Red',
    '13.',
    '13. Silver',
  ]);
});

test('what only a drawing needs has no line, and what was said need not be said again', () => {
  const events = [said(1, 0, 'gold', 'once'), said(1, 0, 'dark', 'never'), said(3, 0, 'gold', 'once'), said(3, 0, 'x')];
  expect(chapters(events)).toEqual([
    { turn: 1, by: 0, at: [0] },
    { turn: 3, by: 0, at: [3] },
  ]);
});

test('in one breath, for those who listen', () => {
  expect(spoken([said(12, 1, 'anubis G8–F7'), said(12, 1, 'the beam dies on A1')], sides)).toBe(
    '12. Red: anubis G8–F7; the beam dies on A1.',
  );
  expect(spoken([said(3, -1, 'the turn is over.'), said(3, -1, 'goodbye!')], sides)).toBe(
    '3. The turn is over. goodbye!',
  );
  expect(sidesOf(undefined, 2)[1]).toEqual({ fr: 'Joueur 2', en: 'Player 2' });
});
