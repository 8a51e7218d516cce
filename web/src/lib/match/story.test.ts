import { flushSync, mount, unmount } from 'svelte';
import { expect, test } from 'vitest';
import { chapters, heading, naming, sidesOf, spoken } from './story';
import Story from './Story.svelte';

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
    'Turn 13',
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
    'Turn 3: The turn is over. goodbye!',
  );
  expect(sidesOf(undefined, 2)[1]).toEqual({ fr: 'Joueur 2', en: 'Player 2' });
});

test('a long turn shows its first lines and opens at a click; the score stands beside its heading', () => {
  const lines = [...Array.from({ length: 12 }, (_, k) => said(4, -1, `line ${k}`)), said(5, -1, 'short')].map((event) => ({
    ...{ n: event.turn, event },
  }));
  document.body.innerHTML = '';
  const pointed: string[][] = [];
  const props = {
    ...{ lines, sides: [], colours: [], current: null, jump: () => {}, point: (cells: string[]) => pointed.push(cells) },
    tally: (story: unknown[]) => `after ${story.length}`,
  };
  const list = mount(Story, { target: document.body, props });
  flushSync();
  const shown = () => [...document.querySelectorAll('[data-line]')].map((line) => line.textContent);
  const heads = [...document.querySelectorAll('.head')].map((head) => head.textContent!.trim().replace(/\s+/g, ' '));
  expect(heads).toEqual(['Turn 4 after 12', 'Turn 5 after 13']);
  expect(shown()).toHaveLength(9);
  [...document.querySelectorAll('button')].find((each) => /4 more lines/.test(each.textContent!))!.click();
  flushSync();
  expect(shown()).toHaveLength(13);
  expect(shown().at(-2)).toBe('Line 11');
  void unmount(list);
});

test('players have their names', () => {
  expect(naming(said(1, -1, 'player 2’s elf'), ['Ada', 'Blaise']).words.en).toBe('Blaise’s elf');
});
