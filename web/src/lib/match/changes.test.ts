import { describe, expect, it } from 'vitest';
import { patched } from './changes';
import type { Changed, Update } from './wire';

const seat = (name: string, present = false) => ({ name, kind: 'person', player: 'person', present });
const before = {
  type: 'update',
  n: 3,
  observer: 1,
  shown: { rows: ['..'], sealed: [false, false, false] },
  story: [{ kind: 'turn', words: { fr: '', en: '' } }],
  legal: ['seal'],
  to_act: [0, 1, 2],
  clocks: [9000, 500, null],
  seats: [seat('Ada'), seat('Bob'), seat('Cleo')],
  draw_offers: [],
  recap: true,
} as unknown as Update;

describe('an update, and what changed since', () => {
  it('keeps what is not said, and puts what is in its place', () => {
    const changed = { type: 'changed', n: 4, observer: 1, shown: { sealed: { '0': true } }, acted: [0] } as Changed;
    const after = patched(before, changed, 0);
    expect(after).toMatchObject({ type: 'update', n: 4, to_act: [1, 2], legal: ['seal'], story: [], recap: false });
    expect(after.shown).toEqual({ rows: ['..'], sealed: [true, false, false] });
    expect(before.shown).toEqual({ rows: ['..'], sealed: [false, false, false] });
  });

  it('counts down the clocks that run, and takes those that are said', () => {
    const changed = { type: 'changed', n: 4, observer: 1, acted: [0], clocks: { '0': 12000 } } as unknown as Changed;
    expect(patched(before, changed, 800).clocks).toEqual([12000, 0, null]);
  });

  it.each(['open', 'awaited'])('counts nothing down while a seat is %s', (kind) => {
    const waiting = { ...before, seats: [seat('Ada'), { ...seat('Bob'), kind }] } as Update;
    const come = patched(waiting, { type: 'changed', n: 4, observer: 1, seats: { '1': seat('Bob') } } as unknown as Changed, 800);
    expect(come.clocks).toEqual([9000, 500, null]);
    expect(patched(come, { type: 'changed', n: 5, observer: 1 } as Changed, 100).clocks).toEqual([8900, 400, null]);
  });

  it('takes whole lists, empty ones and nothing at all', () => {
    const changed = {
      type: 'changed', n: 4, observer: 1, legal: [], seats: { '2': seat('Cleo', true) }, rematch: 'r', to_act: [2],
      shown: { sealed: [true, true, true] }, take_back_asked: null,
    } as unknown as Changed; // prettier-ignore
    const after = patched(before, changed, 0);
    expect([after.legal, after.to_act, after.rematch, after.take_back_asked]).toEqual([[], [2], 'r', null]);
    expect(after.seats.map((each) => each.present)).toEqual([false, false, true]);
    expect(after.shown).toEqual({ rows: ['..'], sealed: [true, true, true] });
  });
});
