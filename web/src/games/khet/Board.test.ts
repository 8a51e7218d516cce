import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import theme from '$lib/look/theme.css?raw';
import Board from './Board.svelte';
import { readSetup } from './notation';
import type { Shown } from './shown';
import stone from './stone.css?raw';

const shown: Shown = {
  pieces: readSetup('xS4kS4 10 10 10 3S/pNE5 10 10 4KN4XN'),
  player: 0,
  result: -1,
  quiet: 0,
  beams: [
    ['J2', 'J3'],
    ['A7', 'A6'],
  ],
  leaves: ['', ''],
};
const legal = ['D4-D5', 'D4-E4', 'D4+', 'D4-', 'J1-'];
let board: ReturnType<typeof mount>;
afterEach(() => unmount(board));

function begin(
  autoFire = false,
  accepts = true,
  more: Partial<{
    seat: number | null;
    legal: string[];
    mini: boolean;
    last: string[];
    arrows: { from: string; to: string }[];
    attempt: (action: string) => Promise<never>;
  }> = {},
) {
  const sent: string[] = [];
  const play = async (action: string) => (sent.push(action), accepts);
  const settings = { autoFire, confirm: true, coordinates: true };
  const props = {
    shown,
    observer: 0,
    seat: 0,
    legal,
    play,
    names: ['Ada', 'Blaise'],
    options: {},
    colours: [],
    settings,
    ...more,
  };
  document.body.innerHTML = '';
  board = mount(Board, { target: document.body, props });
  flushSync();
  return sent;
}
const cell = (square: string) => document.querySelector<SVGElement>(`[data-square=${square}]`)!;
const press = (key: string, on: Element = cell('D4')) => {
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  flushSync();
};
const click = (square: string) => {
  cell(square).dispatchEvent(new MouseEvent('click', { bubbles: true }));
  flushSync();
};
const selected = () => document.querySelector('[aria-selected=true]')?.getAttribute('data-square');

test('a piece is set down first and sent only when the laser fires', () => {
  const sent = begin();
  click('D4');
  click('D5');
  expect(sent).toEqual([]);
  expect(cell('D5').getAttribute('aria-label')).toMatch(/scarab/);
  press(' ');
  expect(sent).toEqual(['D4-D5']);
});

test('a piece that is set down shows the beam that would be fired and what it would destroy; late answers are dropped', async () => {
  const answers: Record<string, (answer: never) => void> = {};
  begin(false, true, { attempt: (action) => new Promise((done) => (answers[action] = done)) });
  const answer = (cells: string[], hit?: string) => {
    const words = (en: string) => ({ fr: en, en });
    const beam = { kind: 'beam', words: words('the beam dies'), cells, directions: 'N'.repeat(cells.length) };
    const burnt = hit ? [{ kind: 'destroyed', words: words('the red pyramid is destroyed'), cells: [hit] }] : [];
    return { shown, story: [{ kind: 'moved', words: words('x'), cells: [] }, beam, ...burnt] } as never;
  };
  const coming = () => document.querySelectorAll('.coming').length;
  const settled = async () => (await Promise.resolve(), await Promise.resolve(), flushSync());
  click('D4');
  click('D5');
  expect([Object.keys(answers), coming()]).toEqual([['D4-D5'], 0]);
  click('D5'); // taken back before the answer comes
  answers['D4-D5']!(answer(['J2', 'J3']));
  await settled();
  expect(coming()).toBe(0);
  click('E4');
  answers['D4-E4']!(answer(['J2', 'J3'], 'E3'));
  await settled();
  expect([coming(), document.querySelectorAll('.doomed').length]).toEqual([1, 1]);
  expect(document.querySelector('[role=status]')!.textContent).toMatch(/The red pyramid is destroyed\. .*ends your turn/);
  press('Escape');
  expect(coming()).toBe(0);
});

test('with automatic fire it is sent at once', () => {
  const sent = begin(true);
  click('D4');
  press('q');
  expect(sent).toEqual(['D4-']);
});

test('Escape takes the piece back, then deselects it; so does a second click', () => {
  begin();
  click('D4');
  click('D5');
  press('Escape');
  expect(cell('D5').getAttribute('aria-label')).not.toMatch(/scarab/);
  expect(selected()).toBe('D4');
  press('Escape');
  expect(selected()).toBeUndefined();
  click('D4');
  click('D4');
  expect(selected()).toBeUndefined();
});

test('only what is on offer can be chosen', () => {
  const sent = begin(true);
  click('E1');
  expect(selected()).toBeUndefined();
  click('D4');
  click('D3');
  press('e', cell('J1'));
  expect(sent).toEqual([]);
});

test('the keyboard alone plays a swap', () => {
  const sent = begin();
  cell('D4').focus();
  press('Enter');
  press('ArrowRight', document.activeElement!);
  expect(document.activeElement).toBe(cell('E4'));
  press('Enter', document.activeElement!);
  press(' ', document.activeElement!);
  expect(sent).toEqual(['D4-E4']);
});

test('a refused turn is taken back', async () => {
  begin(true, false);
  click('D4');
  click('D5');
  await Promise.resolve();
  await Promise.resolve();
  flushSync();
  expect(cell('D5').getAttribute('aria-label')).not.toMatch(/scarab/);
});

test('whoever only watches may look, not touch; a miniature has nothing to focus', () => {
  const sent = begin(true, true, { seat: null, legal: [] });
  click('D4');
  press(' ');
  expect(sent).toEqual([]);
  unmount(board);
  begin(false, true, { mini: true });
  expect(document.querySelectorAll('[tabindex], button')).toHaveLength(0);
});

test('the last move is marked and stays in reach', () => {
  begin(false, true, { last: ['D4', 'D5'] });
  expect(document.querySelectorAll('[data-last]')).toHaveLength(2);
  click('D4');
  expect(selected()).toBe('D4');
});

test('a hint, the last move and what a story points at differ in colour, by day and by night', () => {
  begin(false, true, { last: ['D4', 'D5'], arrows: [{ from: 'D4', to: 'E4' }] });
  expect([document.querySelectorAll('.board-arrows > *').length, document.querySelectorAll('[data-last]').length]).toEqual([1, 2]);
  const colour = (css: string, name: string) =>
    [...css.matchAll(new RegExp(`${name}: #(..)(..)(..);`, 'g'))].map((found) =>
      found.slice(1).map((two) => parseInt(two, 16)),
    );
  const marks = [colour(theme, '--advice'), colour(stone, '--khet-last'), colour(stone, '--khet-pointed')];
  for (const night of [0, 1])
    for (const [k, one] of marks.entries())
      for (const other of marks.slice(k + 1))
        expect(Math.hypot(...one[night]!.map((part, n) => part - other[night]![n]!))).toBeGreaterThan(80);
});
