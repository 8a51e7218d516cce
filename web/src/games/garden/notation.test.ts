// The pure parts of Garden's pages: geometry, actions, stories, maps.

import { describe, expect, it } from 'vitest';
import { costly, LETTERS, meanings, offers, read } from './notation';
import { around, opposite, PLACES, walk } from './drawing';
import { counted, paint, readMap, region, writeMap, type Brush } from './setup';
import type { Hex, Told } from './shown';
import { fold } from './story';
import { PROLOGUE } from './words';

const CROSSROADS = `# A sandy path crosses the garden
        gf1      gw2      sm1      ms2      ms1
    gs1      gm2      sky      sf1      mw2      mm1
gf2=A    sw1      barbecue sm2      pool     sw1      gf2=B
    mm1      mw2      sf1      candy    gm2      gs1
        ms1      ms2      sm1      gw2      gf1
`;
const at = (name: string) => PLACES.findIndex((place) => place.name === name);

describe('the hexes', () => {
  it('are 29 with 68 common sides', () => {
    expect(PLACES).toHaveLength(29);
    expect(PLACES.flatMap((_, k) => around(k))).toHaveLength(2 * 68);
    expect(
      around(at('c4'))
        .map((k) => PLACES[k]!.name)
        .sort(),
    ).toEqual(['b3', 'b4', 'c3', 'c5', 'd3', 'd4']);
    expect(PLACES[opposite(at('a1'))]!.name).toBe('e5');
  });

  it('can all be reached with the arrow keys', () => {
    const reached = new Set(['c4']);
    for (const cell of reached)
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
        const next = walk(cell, key);
        if (next) reached.add(next);
      }
    expect(reached.size).toBe(29);
  });

  it.each(['a3', 'b1', 'c4', 'd4'])('up undoes down from %s, also from the other side', (cell) => {
    expect(walk(walk(cell, 'ArrowDown')!, 'ArrowUp')).toBe(cell);
    expect(walk(cell, 'ArrowLeft', true)).toBe(walk(cell, 'ArrowRight'));
  });
});

describe('the actions', () => {
  it.each([
    ['c3-c4', 'move', 'c3', 'c4', 0],
    ['c3+2', 'place', null, 'c3', 2],
    ['sky a1-e5', 'sky', 'a1', 'e5', 0],
    ['barbecue d4', 'barbecue', null, 'd4', 0],
    ['candy', 'candy', null, null, 0],
    ['end', 'end', null, null, 0],
  ])('%s is read', (text, kind, from, to, count) => {
    expect(read(text)).toEqual({ text, kind, from, to, count });
  });

  const actions = ['end', 'c3-c4', 'c3-b2', 'sky c3-e5', 'sky a1-e5', 'forge c3', 'pool c4', 'd1+1'].map(read);

  it('a cell is taken first, then its target is chosen', () => {
    expect([...meanings(actions, null, null).keys()].sort()).toEqual(['c3', 'd1']);
    expect([...meanings(actions, 'c3', null).keys()].sort()).toEqual(['b2', 'c4']);
    expect([...meanings(actions, 'e1', null).keys()]).toEqual([]);
    expect([...meanings(actions, null, 'sky').keys()].sort()).toEqual(['a1', 'c3']);
    expect(meanings(actions, 'a1', 'sky').get('e5')).toEqual({ play: read('sky a1-e5') });
    expect(meanings(actions, null, 'pool').get('c4')).toEqual({ play: read('pool c4') });
  });

  it('a cell offers what can be done with it and to it', () => {
    expect(offers(actions, 'c3').map(({ text }) => text)).toEqual(['sky c3-e5', 'forge c3']);
    expect(offers(actions, 'c4').map(({ text }) => text)).toEqual(['c3-c4', 'pool c4']);
  });

  it('asks before what costs or leaves something behind', () => {
    expect(costly(read('end'), actions, 0)).toBe('left');
    expect(costly(read('end'), [read('end')], 0)).toBeNull();
    expect(costly(read('c3-c4'), actions, 0)).toBeNull();
    expect(costly(read('pool c4'), actions, 0)).toBe('price');
    expect(costly(read('d1+2'), [read('d1+2'), read('candy')], 2)).toBe('jar');
    expect(costly(read('d1+1'), [read('d1+1'), read('candy')], 2)).toBeNull();
  });

  it('no two powers share a letter', () => {
    expect(new Set(Object.values(LETTERS)).size).toBe(Object.keys(LETTERS).length);
  });
});

describe('a story', () => {
  const bare = {
    ground: 'grass',
    resource: 'food',
    amount: 1,
    price: 0,
    state: 'normal',
    ticks: 0,
    immobilised: 0,
    forged: 0,
  };
  const hexes = PLACES.map(({ name }) => ({ ...bare, name, owner: -1, creatures: 0 }) as Hex);
  const told = (event: object) => ({ words: { fr: '', en: '' }, cells: [], ...event }) as unknown as Told;
  const hex = (all: Hex[], name: string) => all[at(name)]!;

  it('moves, fights and empties cells', () => {
    let now = fold(hexes, told({ kind: 'placed', cells: ['c3'], seat: 0, creatures: 3 }));
    now = fold(now, told({ kind: 'entered', how: 'moved', cells: ['c3', 'c4'], seat: 0, creatures: 2, forged: 2 }));
    expect(hex(now, 'c3').creatures).toBe(1);
    expect(hex(now, 'c4')).toMatchObject({ owner: 0, creatures: 2, forged: 2 });
    now = fold(now, told({ kind: 'used', power: 'poison', cells: ['c4'], seat: 1 }));
    now = fold(now, told({ kind: 'ticked', cells: ['c4'], seat: 0, die: 6, dice: [1, 2], ticks: 2 }));
    expect(hex(now, 'c4')).toMatchObject({ state: 'poisoned', ticks: 2 });
    now = fold(now, told({ kind: 'died', cells: ['c4'], seat: 0, dead: 2, left: 0 }));
    expect(hex(now, 'c4')).toEqual(hex(hexes, 'c4'));
  });

  it('a shelter protects once', () => {
    let now = fold(
      hexes,
      told({ kind: 'entered', how: 'sheltered', cells: ['c3', 'c4'], seat: 1, creatures: 2, forged: 0 }),
    );
    expect(hex(now, 'c4').state).toBe('protected');
    now = fold(now, told({ kind: 'absorbed', cells: ['c4'], seat: 1 }));
    expect(hex(now, 'c4').state).toBe('normal');
  });
});

describe('a map', () => {
  const plots = readMap(CROSSROADS);

  it('is read and written without a change', () => expect(writeMap(plots, CROSSROADS)).toBe(CROSSROADS));

  it('is counted', () => {
    expect(counted(plots)).toMatchObject({
      grass: 10,
      sand: 7,
      mud: 8,
      sky: 1,
      candy: 1,
      barbecue: 1,
      pool: 1,
      A: 1,
      B: 1,
    });
  });

  it('of nonsense is a lawn', () => expect(readMap('what? gf9').every((plot) => plot.ground === 'grass')).toBe(true));

  const brushes: Brush[] = [
    { kind: 'ground', ground: 'sky' },
    { kind: 'ground', ground: 'mud' },
    { kind: 'start', start: 'A' },
    { kind: 'resource', resource: 'wood', amount: 2 },
  ];
  it.each(brushes)('stays symmetric under a symmetric $kind', (brush) => {
    const turned = { sky: 'candy', candy: 'sky', barbecue: 'pool', pool: 'barbecue', A: 'B', B: 'A' } as Record<
      string,
      string
    >;
    for (const k of [0, 9, 11, 16, 20]) {
      const painted = paint(plots, k, brush, { fill: false, symmetric: true });
      painted.forEach((plot, cell) => {
        const other = painted[opposite(cell)]!;
        expect(other.ground).toBe(turned[plot.ground] ?? plot.ground);
        expect(other.start).toBe(plot.start && turned[plot.start]);
      });
    }
  });

  it('keeps each special cell and each start single', () => {
    const painted = paint(plots, at('e5'), { kind: 'ground', ground: 'pool' }, { fill: true, symmetric: false });
    expect(counted(painted).pool).toBe(1);
    expect(counted(paint(plots, at('b3'), { kind: 'start', start: 'B' }, { fill: true, symmetric: false })).B).toBe(1);
  });

  it('fills what is connected', () => {
    const painted = paint(plots, at('a1'), { kind: 'ground', ground: 'mud' }, { fill: true, symmetric: false });
    expect(
      region(plots, at('a1'))
        .map((k) => PLACES[k]!.name)
        .sort(),
    ).toEqual(['a1', 'a2', 'b1', 'b2', 'c1']);
    expect(counted(painted)).toMatchObject({ grass: 5, mud: 13 });
  });
});

it('the prologue has as many paragraphs in both languages', () => expect(PROLOGUE.fr.length).toBe(PROLOGUE.en.length));
