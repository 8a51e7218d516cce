import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import Board from './Board.svelte';

const shown = { columns: [[], [], [1], [0, 1, 0, 1, 0, 1], [0], [], []], count: 8, lined_up: false, line: [], player: 0 };
const legal = [...'abcefg'];
let board: ReturnType<typeof mount> | null = null;
function end() {
  if (board) unmount(board);
  board = null;
}
afterEach(end);

function begin(more: object = {}) {
  const sent: string[] = [];
  const play = async (action: string) => (sent.push(action), true);
  const settings = { autoFire: false, confirm: true, coordinates: true };
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
  end();
  board = mount(Board, { target: document.body, props });
  flushSync();
  return sent;
}
const cell = (at: string) => document.querySelector<SVGElement>(`[data-cell="${at}"]`)!;
const press = (key: string, on: Element) =>
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

test('a click anywhere in a column drops a stone into it, once', () => {
  const sent = begin();
  cell('4,2').dispatchEvent(new MouseEvent('click', { bubbles: true }));
  cell('5,2').dispatchEvent(new MouseEvent('click', { bubbles: true }));
  expect(sent).toEqual(['e']);
});

test('the cursor walks and Enter drops; numbers and letters do too', () => {
  let sent = begin();
  cell('3,5').focus();
  press('ArrowLeft', cell('3,5'));
  press('Enter', document.activeElement!);
  expect(sent).toEqual(['c']);
  for (const key of ['7', 'g']) {
    sent = begin();
    expect((board as { key: (event: KeyboardEvent) => boolean }).key(new KeyboardEvent('keydown', { key }))).toBe(true);
    expect(sent).toEqual(['g']);
  }
});

test('a full column takes nothing, and whoever watches drops nothing', () => {
  let sent = begin();
  cell('3,3').dispatchEvent(new MouseEvent('click', { bubbles: true }));
  expect(sent).toEqual([]);
  sent = begin({ seat: null, legal: [] });
  cell('4,3').dispatchEvent(new MouseEvent('click', { bubbles: true }));
  expect(sent).toEqual([]);
});

test('cells are told in words, the line is marked, a miniature has nothing to focus', () => {
  begin({ shown: { ...shown, line: ['e1'], player: -3 }, legal: [], seat: null });
  expect(cell('4,5').getAttribute('aria-label')).toMatch(/^e1, .*Ada, /);
  expect(document.querySelectorAll('.won')).toHaveLength(1);
  begin({ mini: true });
  expect(document.querySelectorAll('[tabindex], button')).toHaveLength(0);
});
