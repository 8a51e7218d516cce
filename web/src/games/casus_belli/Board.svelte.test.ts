import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import Board from './Board.svelte';
import { choice } from './choice.svelte';
import type { Shown, Unit } from './shown';

const unit = (team: number, role: Unit['role'], cell: string): Unit => ({ team, role, cell, facing: 'N', health: 10 });
const own = (role: Unit['role'], path = '') => ({
  role,
  cooldowns: [0, role === 'elf' ? 3 : 0] as [number, number],
  departure: '2,2',
  attack: '',
  path,
  sees: [],
  penumbra: [],
});
const shown: Shown = {
  rows: ['.....', '..#..', '.....', '.....', '.....'],
  start: '2,2',
  turn: 3,
  turns: 20,
  placement: 1,
  phase: 'orders',
  points: [0, 1],
  sealed: [false, false],
  hotspots: [{ cells: ['0,0'], holder: 1, turns: 2 }],
  units: [unit(0, 'thief', '2,2'), unit(0, 'barbarian', '3,3'), unit(0, 'elf', '4,4'), unit(1, 'elf', '2,3')],
  corpses: [{ team: 1, role: 'thief', cell: '0,4' }],
  own: [own('thief'), own('barbarian'), own('elf')],
  palantir: '',
  revealed: '',
  sight: ['ooooo', '.....', 'ooooo', '.....', '.....'],
};
const legal = [
  'thief path E',
  'thief path SS',
  'thief attack 2,3',
  'thief attack 2,2',
  'thief treachery',
  'thief hold',
  'barbarian fus',
  'elf attack 2,3',
  'seal',
];
const still = { scale: 0, skipped: false, wait: async () => {} };
let board: ReturnType<typeof mount>;
afterEach(() => unmount(board));

function begin(
  more: Partial<{
    seat: number | null;
    legal: string[];
    mini: boolean;
    observer: number;
    shown: Shown;
    confirm: boolean;
    accepts: boolean;
  }> = {},
) {
  const sent: string[] = [];
  const play = async (action: string) => (sent.push(action), more.accepts ?? true);
  const settings = { autoFire: false, confirm: more.confirm ?? true, coordinates: true };
  document.body.innerHTML = '';
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
  board = mount(Board, { target: document.body, props });
  flushSync();
  return sent;
}
const settle = async () => {
  for (let k = 0; k < 4; k++) await Promise.resolve();
  flushSync();
};
const cell = (name: string) => document.querySelector<SVGElement>(`[data-cell="${name}"]`)!;
const press = async (key: string, more: KeyboardEventInit = {}) => {
  const on =
    document.activeElement === document.body
      ? document.querySelector('[role=gridcell][tabindex="0"]')!
      : document.activeElement!;
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
  await settle();
};
const click = async (name: string) => {
  cell(name).dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await settle();
};

test('a click on a champion, then on a cell in reach, orders the path on offer', async () => {
  const sent = begin();
  await click('2,2');
  expect(choice.role).toBe('thief');
  await click('3,2');
  expect(sent).toEqual(['thief path E']);
});

test('a second click and Escape deselect', async () => {
  begin();
  await click('2,2');
  await click('2,2');
  expect(choice.role).toBeNull();
  await press('1');
  await press('Escape');
  expect(choice.role).toBeNull();
});

test('the arrows draw any path, cell by cell; walls stop it, Backspace takes a step back', async () => {
  const sent = begin();
  await press('1');
  for (const key of ['ArrowUp', 'ArrowLeft', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'Backspace', 'Enter'])
    await press(key);
  expect(sent).toEqual(['thief path WNN']);
});

test('Shift and an arrow turn a champion where its path ends', async () => {
  const sent = begin({ shown: { ...shown, own: [own('thief', 'thief path E'), own('barbarian'), own('elf')] } });
  await press('1');
  await press('ArrowLeft', { shiftKey: true });
  await press('2');
  await press('ArrowDown', { shiftKey: true });
  expect(sent).toEqual(['thief path E face W', 'barbarian face S']);
});

test('an attack is aimed at the cells on offer only; one without a target goes at once', async () => {
  const sent = begin();
  await press('1');
  await press('a');
  await click('3,3');
  expect(sent).toEqual([]);
  await click('2,3');
  await press('c');
  expect(sent).toEqual(['thief attack 2,3', 'thief treachery']);
});

test('an ability that waits cannot be chosen', async () => {
  const sent = begin();
  await press('3');
  await press('c');
  expect(choice.mode).toBe('path');
  expect(sent).toEqual([]);
});

test('sealing asks once, unless one does not want to be asked', async () => {
  const sent = begin();
  await press('s');
  expect(sent).toEqual([]);
  expect(document.querySelector('[role=alertdialog]')).not.toBeNull();
  await press('Escape');
  expect(document.querySelector('[role=alertdialog]')).toBeNull();
  await press('s');
  await press('s');
  expect(sent).toEqual(['seal']);
  unmount(board);
  const again = begin({ confirm: false });
  await press('s');
  expect(again).toEqual(['seal']);
});

test('a refusal is said', async () => {
  begin({ accepts: false });
  await press('1');
  await press('ArrowDown');
  await press('Enter');
  expect(document.querySelector('[role=status]')!.textContent).toMatch(/thief path S/);
});

test('whoever watches has nothing to order, and a miniature nothing to focus', async () => {
  const sent = begin({
    seat: null,
    legal: [],
    observer: -2,
    shown: { ...shown, own: [], units: [], sight: shown.rows.map((row) => '.'.repeat(row.length)) },
  });
  await click('2,2');
  await press('s');
  expect(sent).toEqual([]);
  expect(choice.looked).toBe('2,2');
  unmount(board);
  begin({ mini: true });
  expect(document.querySelectorAll('[tabindex], button')).toHaveLength(0);
});

test('what changes around the board while a story is told does not stop it', async () => {
  // as the page gives them: all props are read from one object, which is made anew at every change
  let given = $state.raw<Record<string, unknown>>({
    shown,
    observer: 0,
    seat: 0,
    legal,
    play: async () => true,
    names: [],
    options: {},
    colours: [],
    settings: { autoFire: false, confirm: true, coordinates: true },
  });
  const props = Object.defineProperties(
    {},
    Object.fromEntries(Object.keys(given).map((name) => [name, { get: () => given[name], enumerable: true }])),
  ) as never;
  document.body.innerHTML = '';
  board = mount(Board, { target: document.body, props });
  const after: Shown = { ...shown, turn: 4, units: [unit(0, 'thief', '4,2')] };
  const words = { fr: '', en: '' };
  const story = [
    { kind: 'walked', words, cells: ['3,2', '4,2'], role: 'thief', pushed: false },
    { kind: 'turn', words, cells: [], turn: 4, phase: 0 },
  ];
  const places: (string | undefined)[] = [];
  const wait = async () => {
    given = { ...given, seat: null, legal: [] };
    flushSync();
    places.push(document.querySelector<SVGElement>('.figure:has(.own .cloth)')?.style.transform);
  };
  await (board as { tell: (...args: unknown[]) => Promise<void> }).tell(shown, after, story, {
    scale: 1,
    skipped: false,
    wait,
  });
  expect(places[0]).toMatch(/350px, 250px/);
  expect(places[1]).toMatch(/450px, 250px/);
});

test('a story without motion ends with what is seen after it, and the shapes noticed on the way', async () => {
  begin();
  const after: Shown = { ...shown, turn: 4, units: [unit(0, 'thief', '3,2')] };
  const words = { fr: '', en: '' };
  const story = [
    { kind: 'attacked', words, cells: [], role: 'thief', order: 'thief attack 2,3', dropped: false, struck: [] },
    { kind: 'hit', words, cells: [], role: 'elf', team: 1, damage: 9001 },
    { kind: 'died', words, cells: ['4,4'], role: 'elf' },
    { kind: 'walked', words, cells: ['3,2'], role: 'thief', pushed: false },
    { kind: 'penumbra', words, cells: ['1,1', '1,1'], role: 'thief' },
    { kind: 'turn', words, cells: [], turn: 4, phase: 0 },
  ];
  await (board as { tell: (...args: unknown[]) => Promise<void> }).tell(shown, after, story, still);
  flushSync();
  expect(document.querySelectorAll('.figure.figure > .token')).toHaveLength(1);
  expect(document.querySelectorAll('.ghost')).toHaveLength(1);
});

const WALK = (role: string, cells: string[], words: string) => ({
  ...{ kind: 'walked', words: { fr: words, en: words }, cells, role, pushed: false },
});
const HIT = (role: string, words: string) => ({
  ...{ kind: 'hit', words: { fr: words, en: words }, cells: [], role, team: 1, damage: 2 },
});
const TURN = { kind: 'turn', words: { fr: '', en: '' }, cells: [], turn: 4, phase: 0 };
type Handle = { tell: (...args: unknown[]) => Promise<boolean>; remember: (...args: unknown[]) => void };
const later: Shown = { ...shown, turn: 4, units: [unit(0, 'thief', '3,2'), ...shown.units.slice(1)] };
const told = [HIT('elf', 'the elf is hit by player 2'), WALK('thief', ['3,2'], 'the thief walks'), TURN];
const caption = () => document.querySelector('[data-playback] p')?.textContent;
const button = (name: RegExp) =>
  [...document.querySelectorAll('button')].find((one) => name.test(one.getAttribute('aria-label') ?? one.textContent!))!;
const tap = async (name: RegExp) => {
  button(name).click();
  await settle();
};

test('a turn that is told can be halted, stepped through, seen again and left, with keys and with buttons', async () => {
  begin();
  let waits = 0;
  const wait = () => new Promise<void>((done) => (waits++ ? null : done())); // halted in the second picture
  const end = (board as unknown as Handle).tell(shown, later, told, { scale: 1, skipped: false, wait });
  await settle();
  expect(caption()).toBe('the thief walks');
  expect(document.querySelector('.champions')).toBeNull();
  await press('p');
  expect(await end).toBe(false);
  unmount(board);
  begin({ shown: later });
  (board as unknown as Handle).remember(shown, later, told);
  await settle();
  await tap(/4/); // See turn 4 again
  expect(caption()).toBe('the elf is hit by Blaise');
  await tap(/^Pause/);
  await press('n');
  await press('b');
  expect(caption()).toBe('the elf is hit by Blaise');
  expect(document.querySelector('.strikes')!.textContent).toBe('−2');
  await tap(/One step on|Un pas en avant/);
  expect(caption()).toBe('the thief walks');
  await press('Escape');
  expect(caption()).toBeUndefined();
  expect(document.querySelector('.champions')).not.toBeNull();
});

test('champions of one cell fan out: a click or Enter opens it, each can be chosen, Escape closes it', async () => {
  const units = [...['thief', 'barbarian', 'elf'].map((role) => unit(0, role as 'elf', '2,2')), unit(1, 'elf', '2,2')];
  begin({ shown: { ...shown, units } });
  expect(document.querySelector('.pile')!.textContent).toBe('4');
  await click('2,2');
  const tokens = () => [...document.querySelectorAll<SVGGElement>('.fan [role=button]')];
  expect(tokens()).toHaveLength(4);
  expect(document.activeElement).toBe(tokens()[0]);
  await press('ArrowRight');
  await press('Enter');
  expect(choice.role).toBe('barbarian');
  expect(tokens()).toHaveLength(0);
  await press('Escape');
  await click('2,2');
  tokens()[2]!.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await settle();
  expect(choice.role).toBe('elf');
  await press('Escape');
  await click('2,2');
  await press('Escape');
  expect(tokens()).toHaveLength(0);
  expect(choice.role).toBeNull();
});

test('nine champions on one cell fan out, each in a place of its own', async () => {
  const roles = ['thief', 'barbarian', 'elf'] as const;
  const units = [0, 1, 2].flatMap((team) => roles.map((role) => unit(team, role, '2,2')));
  begin({ shown: { ...shown, units } });
  expect(document.querySelector('.pile')!.textContent).toBe('9');
  await click('2,2');
  const tokens = [...document.querySelectorAll<SVGGElement>('.fan [role=button]')];
  expect(tokens).toHaveLength(9);
  expect(new Set(tokens.map((token) => token.getAttribute('transform'))).size).toBe(9);
  expect(new Set(tokens.map((token) => token.getAttribute('aria-label'))).size).toBe(9);
});

test('the first screen says what is to be done, then who has no order yet, then whom one waits for', async () => {
  const says = () => document.querySelector('[role=status]')!.textContent;
  begin({ shown: { ...shown, phase: 'placement' } });
  expect(says()).toMatch(/Place your three champions|Placez vos trois champions/);
  expect(button(/Seal my orders|Sceller mes ordres/)).toBeDefined();
  unmount(board);
  begin({ shown: { ...shown, own: [own('thief', 'thief path E'), own('barbarian'), own('elf')] } });
  expect(says()).toMatch(/: (barbarian and elf|barbare et elfe)\./);
  expect(document.querySelectorAll('.champion.idle')).toHaveLength(2);
  unmount(board);
  begin({ seat: null, legal: [], shown: { ...shown, sealed: [true, false] } });
  expect(says()).toMatch(/Blaise/);
});
