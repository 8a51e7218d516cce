import { expect, test } from 'vitest';
import { hold, noted, programsOf, seatsOf } from './keep';

test('a seat that was made for a program is not played in this browser', () => {
  const made = [{ seat: 0, token: 'mine' }, { seat: 1, token: 'its' }];
  hold('m', 'khet', noted(made, ({ seat }) => seat === 1));
  expect(seatsOf('m')).toEqual([made[0]]);
  expect(programsOf('m')).toEqual([{ ...made[1], program: true }]);
  hold('m', 'khet', [], true); // looked at again
  expect([seatsOf('m').length, programsOf('m').length]).toEqual([1, 1]);
});

test('whoever comes with the link of that seat sits down themselves', () => {
  hold('other', 'khet', [{ seat: 1, token: 'its', program: true }]);
  hold('other', 'khet', [{ seat: 1, token: 'its' }]);
  expect([seatsOf('other').length, programsOf('other').length]).toEqual([1, 0]);
});
