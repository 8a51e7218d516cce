import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import Board from './Board.svelte';
import type { Shown } from './shown';

const shown: Shown = {
  units: [
    { id: 0, owner: 0, leader: true, hp: 10, cell: '0,3' },
    { id: 1, owner: 1, leader: true, hp: 10, cell: '12,3' },
    { id: 2, owner: 2, leader: false, hp: 10, cell: '1,3' },
    { id: 3, owner: 0, leader: false, hp: 10, cell: '4,2' },
    { id: 4, owner: 0, leader: false, hp: 10, cell: '4,4' },
    { id: 9, owner: 1, leader: false, hp: 3, cell: '6,2' },
    { id: 10, owner: 1, leader: false, hp: 10, cell: '6,4' },
  ],
  obstacles: [{ cell: '5,4', hp: 0 }],
  counts: [3, 3, 1],
  turn: 8,
  turns: 150,
  player: 0,
  aims: [
    { action: '3 SHOOT 9', cells: ['4,2', '5,2', '6,2'], damage: 5, struck: 9 },
    { action: '3 SHOOT 10', cells: ['4,2', '5,3', '6,4'], damage: 0, struck: -1 },
    { action: '3 SHOOT 4', cells: ['4,2', '4,3', '4,4'], damage: 5, struck: 4 },
  ],
};
const legal = ['WAIT', '0 MOVE 0 2', '0 CONVERT 2', '3 MOVE 4 1', '3 SHOOT 9', '3 SHOOT 10', '3 SHOOT 4', '4 MOVE 4 5'];
// jsdom lays nothing out: the board keeps lying
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
let board: ReturnType<typeof mount> | null = null;
function end() {
  if (board) unmount(board);
  board = null;
}
afterEach(end);

function begin(more: object = {}, accepts = true) {
  const sent: string[] = [];
  const play = async (action: string) => (sent.push(action), accepts);
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
const cell = (name: string) => document.querySelector<SVGElement>(`[data-name="${name}"]`)!;
const click = (name: string) => {
  cell(name).dispatchEvent(new MouseEvent('click', { bubbles: true }));
  flushSync();
};
const press = (key: string, on: Element = cell('4,2')) => {
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  flushSync();
};
const selected = () => document.querySelector('[aria-selected=true]')?.getAttribute('data-name');

test('a unit is selected, and a step, a conversion or a shot is one click more', () => {
  for (const [unit, target, action] of [
    ['0,3', '0,2', '0 MOVE 0 2'],
    ['0,3', '1,3', '0 CONVERT 2'],
    ['4,2', '6,2', '3 SHOOT 9'],
  ]) {
    const sent = begin();
    click(unit!);
    click(target!);
    expect(sent).toEqual([action]);
  }
});

test('a shot in vain asks once, and Escape takes it back', () => {
  const sent = begin();
  click('4,2');
  click('6,4');
  expect(sent).toEqual([]);
  press('Escape');
  expect(selected()).toBe('4,2');
  click('6,4');
  click('6,4');
  expect(sent).toEqual(['3 SHOOT 10']);
});

test('waiting asks once, unless one does not want to be asked', async () => {
  let sent = begin();
  press('w');
  expect(sent).toEqual([]);
  press('w');
  expect(sent).toEqual(['WAIT']);
  sent = begin({ settings: { autoFire: false, confirm: false, coordinates: true } });
  press('w');
  expect(sent).toEqual(['WAIT']);
});

test('a click on one’s own unit selects it; only when one aims at one’s own is it shot at', () => {
  const sent = begin();
  click('4,2');
  click('4,4');
  expect(selected()).toBe('4,4');
  click('4,2');
  press('t');
  click('4,4');
  click('4,4');
  expect(sent).toEqual(['3 SHOOT 4']);
});

test('a second click and Escape deselect; a neutral can only be looked at', () => {
  begin();
  click('4,2');
  click('4,2');
  expect(selected()).toBeUndefined();
  click('4,2');
  press('Escape');
  expect(selected()).toBeUndefined();
  click('1,3');
  expect(selected()).toBeUndefined();
});

test('the keyboard alone plays, and cells are told in words', () => {
  const sent = begin();
  press('n', cell('0,3'));
  expect(document.activeElement).toBe(cell('0,3'));
  expect(cell('1,3').getAttribute('aria-label')).toMatch(/neutr.*10 HP, conver|neutral.*10 HP, can be converted/);
  press('ArrowUp', cell('0,3'));
  press('Enter', document.activeElement!);
  expect(sent).toEqual(['0 MOVE 0 2']);
});

test('what was refused can be tried again', async () => {
  const sent = begin({}, false);
  click('0,3');
  click('0,2');
  await Promise.resolve();
  await Promise.resolve();
  flushSync();
  click('0,2');
  expect(sent).toEqual(['0 MOVE 0 2', '0 MOVE 0 2']);
});

test('whoever only watches may look, not touch; a miniature has nothing to focus', () => {
  const sent = begin({ seat: null, legal: [], observer: -2 });
  click('4,2');
  press('w');
  expect(sent).toEqual([]);
  expect(selected()).toBeUndefined();
  begin({ mini: true });
  expect(document.querySelectorAll('[tabindex], button')).toHaveLength(0);
});

test('a story is told through to its end, with motion and without', async () => {
  begin();
  const story = [
    { kind: 'shot', unit: 3, cells: ['4,2', '5,2', '6,2'], damage: 5, hp: 0, struck: 9, words: { fr: '', en: '' } },
    { kind: 'died', unit: 9, cells: ['6,2'], words: { fr: '', en: '' } },
    { kind: 'wandered', unit: 2, cells: ['1,3', '1,2'], words: { fr: '', en: '' } },
  ];
  const after = {
    ...shown,
    units: shown.units.filter(({ id }) => id !== 9).map((unit) => (unit.id === 2 ? { ...unit, cell: '1,2' } : unit)),
    turn: 9,
  };
  for (const scale of [1, 0]) {
    const motion = { scale, skipped: false, wait: async () => {} };
    await (board as { tell: (...args: unknown[]) => Promise<void> }).tell(shown, after, story, motion);
    flushSync();
    expect(document.querySelectorAll('.figure')).toHaveLength(6);
    expect(cell('1,2').getAttribute('aria-label')).toMatch(/neutr/);
  }
});

test('the numbers that the story uses stand on the board while a line of it is looked at, or for whoever wants them', () => {
  const numbers = () => [...document.querySelectorAll('.number')].map((each) => each.textContent);
  begin();
  expect(numbers()).toEqual([]);
  document.querySelector('.cultist')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'u', bubbles: true }));
  flushSync();
  expect(numbers()).toEqual(['2', '3', '4', '9', '10']);
  begin({ pointed: ['4,2'] });
  expect(numbers()).toEqual(['2', '3', '4', '9', '10']);
  begin({ pointed: ['4,2'], mini: true });
  expect(numbers()).toEqual([]);
});
