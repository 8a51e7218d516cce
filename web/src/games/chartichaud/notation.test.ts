import { describe, expect, it } from 'vitest';
import { byCell, read } from './notation';

describe('orders', () => {
  it('says who acts, where, and what comes of it', () => {
    expect(read('move military 4,5 west')).toMatchObject({ verb: 'move', kind: 'military', cell: '4,5', to: '3,5' });
    expect(read('harvest 0,7')).toMatchObject({ verb: 'harvest', kind: 'civilian', cell: '0,7', makes: null });
    expect(read('build 12,3')).toMatchObject({ verb: 'build', kind: 'civilian', cell: '12,3', makes: 'building' });
    expect(read('recruit military 4,5')).toMatchObject({
      verb: 'recruit',
      kind: 'building',
      cell: '4,5',
      makes: 'military',
    });
  });

  it('leaves what it does not know to the notation box', () => {
    for (const text of ['end', '', 'move', 'move dragon 4,5 east', 'move civilian 4,5 up', 'dance 4,5'])
      expect(read(text)).toBeNull();
  });

  it('keeps every order of every cell', () => {
    const legal = ['end', 'move civilian 0,0 east', 'harvest 0,0', 'move military 1,0 south'];
    const cells = byCell(legal);
    expect([...cells.keys()]).toEqual(['0,0', '1,0']);
    expect([...cells.values()].flat().map((order) => order.text)).toEqual(legal.slice(1));
  });
});
