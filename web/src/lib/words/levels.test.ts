import { expect, test } from 'vitest';
import { isProgram, playerName } from './levels';

test.each([
  ['bot:fox', 'fox'],
  ['program:/usr/bin/python3 /home/ada/fox.py', 'fox.py'],
  ['program:node bots/fox.js --depth 3', 'fox.js'],
  ['program:java -jar build/fox.jar', 'fox.jar'],
  ['codingame:./fox', 'fox'],
  ['program:python3 -m fox', 'python3 -m fox'],
  ['program:C:\\bots\\fox.exe', 'fox.exe'],
])('%s is called %s', (spec, name) => {
  expect([isProgram(spec), playerName(spec)]).toEqual([true, name]);
});

test('our own players are no programs', () => {
  expect(['level:3', 'random', 'alphabeta:time=1', 'person', ''].map(isProgram)).toEqual(Array(5).fill(false));
  expect(isProgram('program')).toBe(true); // one that came over the network
});
