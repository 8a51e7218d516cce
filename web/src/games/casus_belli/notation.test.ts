import { expect, test } from 'vitest';
import { outline, price, terrain } from './drawing';
import { images, paint, patch, readMap, resize, SYMMETRIES, writeMap, type Chart } from './setup';
import { actsOf, Memory, offersOf, pathText, readOrder, ROLES, stride, trail } from './notation';
import type { Role, Unit } from './shown';
import { arrange, crowd, fan, ranking, SHAPES } from './teams';

test.each([
  ['thief attack 12,7', { what: 'attack', cell: '12,7', steps: '', facing: '' }],
  ['barbarian fus', { what: 'fus', cell: '', steps: '', facing: '' }],
  ['elf path EENN', { what: 'path', cell: '', steps: 'EENN', facing: 'N' }],
  ['elf path EENN face S', { what: 'path', cell: '', steps: 'EENN', facing: 'S' }],
  ['elf face W', { what: 'path', cell: '', steps: '', facing: 'W' }],
])('%s is read', (text, order) => {
  expect(readOrder(text)).toMatchObject(order);
  if (order.what === 'path') expect(pathText('elf', order.steps, order.facing as 'W')).toBe(text);
});

test('what is no order of a champion is none', () => {
  for (const text of ['seal', '', 'thief', 'wizard attack 1,1']) expect(readOrder(text)).toBeNull();
});

test('the strides between two cells lead from one to the other', () => {
  for (const to of ['3,3', '0,0', '9,2', '3,8']) expect(trail('3,3', stride('3,3', to)).at(-1)).toBe(to);
  expect(stride('3,3', '3,3')).toBe('');
});

const LEGAL = [
  'thief path NE',
  'thief face N',
  'thief attack 2,1',
  'thief attack 2,2',
  'thief treachery',
  'elf hold',
  'seal',
];
const STANDING = new Map<Role, Unit>([['thief', { team: 0, role: 'thief', cell: '2,2', facing: 'N', health: 10 }]]);

test('offers are grouped by champion', () => {
  const thief = offersOf(LEGAL, new Map([['thief', '2,2']])).get('thief')!;
  expect(thief.paths.get('3,1')).toBe('NE');
  expect(thief.attacks.get('attack')).toEqual(['2,1', '2,2']);
  expect(thief.attacks.get('treachery')).toEqual([]);
});

test('what was offered is remembered when it was ordered, and forgotten with the turn', () => {
  const memory = new Memory();
  memory.offers('turn 1', LEGAL, STANDING, false);
  const after = memory.offers('turn 1', ['thief attack 2,1', 'seal'], STANDING, true);
  expect(after.get('thief')!.paths.get('3,1')).toBe('NE');
  expect(after.get('thief')!.attacks.get('attack')).toEqual(['2,1']);
  expect(after.get('elf')!.attacks.has('hold')).toBe(true);
  expect(memory.offers('turn 2', ['seal'], STANDING, false).get('thief')!.paths.size).toBe(0);
});

test('an ability is possible when it is offered or may replace an order, never while it waits', () => {
  const own = { role: 'thief' as const, cooldowns: [0, 4] as [number, number], departure: '0,0', attack: '', path: '', sees: [], penumbra: [] };
  const offer = offersOf(LEGAL, new Map([['thief', '2,2']])).get('thief');
  const possible = (...given: Parameters<typeof actsOf>) =>
    actsOf(...given)
      .filter((act) => act.possible)
      .map(({ what }) => what);
  expect(possible(own, offer, true, true)).toEqual(['path', 'attack', 'hold']);
  expect(possible({ ...own, attack: 'thief attack 2,1' }, undefined, false, true)).toEqual([
    'attack',
    'palantir',
    'hold',
  ]);
  expect(possible(own, offer, true, false)).toEqual(['path']);
});

/** The area of a rectilinear path, by the shoelace; holes count negative. */
function area(d: string): number {
  return d
    .split('Z')
    .filter(Boolean)
    .reduce((sum, loop) => {
      const points = loop
        .slice(1)
        .split('L')
        .map((point) => point.split(' ').map(Number) as [number, number]);
      return (
        sum +
        points.reduce(
          (part, [x, y], k) =>
            part + (x * points[(k + 1) % points.length]![1] - points[(k + 1) % points.length]![0] * y) / 2,
          0,
        )
      );
    }, 0);
}

test.each([
  [['o'], 1, 1],
  [['oo', 'oo'], 4, 1],
  [['ooo', 'o.o', 'ooo'], 8, 2],
  [['o.', '.o'], 2, 2],
  [['.o', 'o.'], 2, 2],
  [['...', '...'], 0, 0],
])('the outline of %j encloses it, in as few loops as there are borders', (rows, cells, loops) => {
  const d = outline(rows[0]!.length, rows.length, (x, y) => rows[y]![x] === 'o');
  expect(area(d)).toBe(cells * 10000);
  expect(d.split('Z').length - 1).toBe(loops);
});

test('a map of forty by forty is a handful of paths', () => {
  const drawn = terrain(Array<string>(40).fill('._~#F'.repeat(8)));
  expect(Object.keys(drawn)).toHaveLength(11);
  expect(drawn.towers).toHaveLength(0);
});

test('points are paid on the cells that are left', () => {
  const at = (x: number) => ({ x, y: 0 });
  expect(price(['._~#'], [at(0), at(1)])).toBe(3);
  expect(price(['._~#'], [at(2)])).toBe(4);
  expect(price(['._~#'], [at(3)])).toBe(99);
});

test('a crowd on one cell is a pile with its number, the chosen one on top, then one’s own', () => {
  const unit = (team: number, role: Role) => ({ team, role, cell: '1,1', facing: 'N' as const, health: 10 });
  const nine = [0, 1, 2].flatMap((team) => ROLES.map((role) => unit(team, role)));
  const { drawn, piles } = arrange(nine, 1, 'elf');
  expect(piles).toMatchObject([{ cell: '1,1', count: 9 }]);
  expect(drawn.map(({ id }) => id)).toEqual(['1barbarian', '1thief', '1elf']);
  expect(crowd(nine, '1,1', 1, null).map(({ team }) => team)).toEqual([1, 1, 1, 0, 0, 0, 2, 2, 2]);
  expect(arrange(nine.slice(0, 2), 1).piles).toEqual([]);
  expect(new Set(SHAPES).size).toBe(SHAPES.length);
});

test.each([2, 3, 9, 12])('%i tokens fan out without touching each other', (count) => {
  const places = fan(count, 50);
  for (const [k, a] of places.entries())
    for (const b of places.slice(k + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(50);
});

test('equal points share a rank', () => {
  expect(ranking([1, 5, 5, 0]).map(({ seat, rank }) => [seat, rank])).toEqual([
    [1, 1],
    [2, 1],
    [0, 3],
    [3, 4],
  ]);
});

const MAP = '5 3\n2 1\n1\n21\n5.\n'.replace('5.\n', '.....\n.H#F.\n~~_T.\n');

test('a map is written as it was read', () => expect(writeMap(readMap(MAP))).toBe(MAP));

test('half a map is read as far as it goes', () => {
  const chart = readMap('4 2\n9 9\n\nx\nF?');
  expect(chart).toEqual({ rows: ['F...', '....'], start: { x: 3, y: 1 }, placement: 0, turns: 1 });
  expect(readMap('').rows.length).toBeGreaterThan(0);
});

test.each(SYMMETRIES)('painted in symmetry %s, each image has the same images', (symmetry) => {
  const chart: Chart = { rows: Array<string>(5).fill('.....'), start: { x: 2, y: 2 }, placement: 0, turns: 1 };
  const key = (cells: [number, number][]) => [...new Set(cells.map(String))].toSorted().join(' ');
  for (const [x, y] of images(chart, 1, 0, symmetry))
    expect(key(images(chart, x, y, symmetry))).toBe(key(images(chart, 1, 0, symmetry)));
  expect(
    paint(chart, images(chart, 1, 0, symmetry), 'F')
      .rows.join('')
      .replaceAll('.', ''),
  ).toHaveLength(images(chart, 1, 0, symmetry).length);
});

test('filling keeps to ground of one kind; another size keeps the start on the map', () => {
  const chart = readMap(MAP);
  expect(patch(chart, 0, 2)).toHaveLength(2);
  expect(patch(chart, 2, 1)).toHaveLength(1);
  expect(resize(chart, 2, 5)).toMatchObject({ rows: ['..', '.H', '~~', '..', '..'], start: { x: 1, y: 1 } });
});
