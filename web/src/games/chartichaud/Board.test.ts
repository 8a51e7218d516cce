import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import Board from './Board.svelte';
import Panel from './Panel.svelte';
import type { Shown } from './shown';

const place = (x: number, owner: number, ready: [number, number, number] | null) => ({
  cell: `${x},0`,
  x,
  y: 0,
  seen: true,
  since: null,
  gold: 0,
  reaped: false,
  stacks: [{ owner, civilians: 2, military: 1, buildings: 0, ready }],
});
const shown: Shown = {
  width: 3,
  height: 1,
  turn: 0,
  turns: 40,
  player: 0,
  loser: -1,
  points: [0, 0],
  purse: 0,
  places: [place(0, 0, [2, 0, 0]), place(2, 1, null)],
};

// Nothing has a size here, and a map is drawn when its frame has one.
vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);

let mounted: ReturnType<typeof mount>[] = [];
afterEach(() => {
  for (const one of mounted) void unmount(one);
  mounted = [];
});

function begin(more: object) {
  const props = {
    shown,
    observer: 0,
    seat: null,
    legal: [],
    play: async () => true,
    names: ['Ada', 'Blaise'],
    options: {},
    colours: ['red', 'blue'],
    settings: { autoFire: false, confirm: true, coordinates: true },
    ...more,
  };
  mounted = [mount(Board, { target: document.body, props }), mount(Panel, { target: document.body, props })];
  flushSync();
}
const signs = () => ['.unit .awake', '.unit.tired', 'td .awake'].map((sign) => document.querySelectorAll(sign).length);

test('units that can act have a dot, also while a move is told', () => {
  begin({});
  expect(signs()).toEqual([1, 1, 2]);
});

test('after the end, resigned or played out, no unit looks as if it could act', () => {
  begin({ over: true });
  expect(signs()).toEqual([0, 0, 0]);
});
