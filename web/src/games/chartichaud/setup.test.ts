import { describe, expect, it } from 'vitest';
import { isFair, painted, paints, readMap, resized, shownOf, writeMap, type Plan } from './setup';

const DUEL = `7 7
gold 5 4 9
gold 3 3 64
gold 1 2 9
unit A civilian 0 0 3
unit B civilian 6 6 3
`;
const plan = (text: string) => readMap(text) as Plan;

describe('map files', () => {
  it('are written as they are read', () => {
    const once = writeMap(plan(DUEL));
    expect(writeMap(plan(once))).toBe(once);
    expect(once.split('\n').sort()).toEqual(DUEL.split('\n').sort());
  });

  it('add up, and may have comments, short kinds and small letters', () => {
    const read = plan('5 5 # small\n\ngold 1 1 3\ngold 1 1 4\nunit a m 2 2 5 # guards\n');
    expect(writeMap(read)).toBe('5 5\ngold 1 1 7\nunit A military 2 2 5\n');
  });

  it.each([
    ['', 1],
    ['4 9\n', 1],
    ['5 5\ngold 5 0 1\n', 2],
    ['5 5\n\ngold 1 1 0\n', 3],
    ['5 5\nunit C civilian 0 0 1', 2],
    ['5 5\nunit A dragon 0 0 1', 2],
    ['5 5\nhello', 2],
  ])('name the line that cannot be drawn: %j', (text, line) => expect(readMap(text)).toBe(line));

  it('painted with symmetry stay fair, and not without', () => {
    expect(isFair(plan(DUEL))).toBe(true);
    expect(isFair(painted(plan(DUEL), '0 military', 2, 1, 5, true))).toBe(true);
    expect(isFair(painted(plan(DUEL), '0 military', 2, 1, 5, false))).toBe(false);
  });

  it('are erased cell by cell', () => {
    const erased = painted(painted(plan(DUEL), 'gold', 8, 0, 0, false), 'erase', 0, 0, 0, false);
    expect(paints(erased, 'gold', '0,0')).toBe(0);
    expect(writeMap(erased)).not.toContain('unit A');
  });

  it('keep both starts when they are resized', () => {
    for (const [width, height] of [[5, 5], [12, 6], [40, 40]] as const) {
      const text = writeMap(resized(plan(DUEL), width, height));
      expect(text).toContain('unit A civilian 0 0 3');
      expect(text).toContain(`unit B civilian ${width - 1} ${height - 1} 3`);
    }
  });

  it('stay fair when they are resized', () => {
    for (const side of [5, 9, 13, 39]) expect(isFair(resized(plan(DUEL), side, side))).toBe(true);
  });

  it('are shown with every cell in sight', () => {
    const shown = shownOf(plan(DUEL));
    expect(shown.places).toHaveLength(49);
    expect(shown.places.every((place) => place.seen && place.cell === `${place.x},${place.y}`)).toBe(true);
  });
});
