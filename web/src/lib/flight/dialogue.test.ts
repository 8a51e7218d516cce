import { expect, test } from 'vitest';
import { chart, duration } from './chart';
import { answers, choice, foremost, gist, heard, troubleCode } from './dialogue';
import { readLog } from './log';
import { pair } from './open';
import { keepLog, dropLog, recallLog } from './shelf';
import { speak } from '$lib/words/language.svelte';

test('messages of JSON, one a line', () => {
  const told = '{"type":"welcome","yours":[0]}\n{"type":"accepted","id":"3"}\n{"type":"update","n":1}\n';
  expect(heard({ told }).map(({ type }) => type)).toEqual(['welcome', 'accepted', 'update']);
  expect(foremost(heard({ told })).map(({ type }) => type)).toEqual(['update', 'welcome', 'accepted']);
  expect(heard({ told })[0]!.value).toEqual({ type: 'welcome', yours: [0] });
  expect(heard({ told: '' })).toEqual([]);
});

test('lines of another protocol stay together, and so does what was cut off', () => {
  expect(heard({ told: '0\n13 7\n..x\n' })).toEqual([{ text: '0\n13 7\n..x', type: null, value: null }]);
  const cut = heard({ told: '{"type":"welcome"}\n{"type":"update","shown":{"pie…' });
  expect(cut.map(({ type, text }) => [type, text.slice(-4)])).toEqual([['welcome', 'me"}'], [null, 'pie…']]);
});

test('answers have what became of them; the one that stands is what it chose', () => {
  const question = {
    said: ['{"type":"play","id":"1","seat":0,"action":"Z9"}', '{"type":"play","id":"2","seat":0,"action":"H2-H3"}'],
    refused: ['There is no square Z9.'],
  };
  expect(answers(question).map(({ action, refused }) => [action, refused])).toEqual([
    ['Z9', 'There is no square Z9.'],
    ['H2-H3', null],
  ]);
  expect(choice(question)?.action).toBe('H2-H3');
  expect(choice({ ...question, refused: ['a', 'b'] })?.action).toBe('H2-H3'); // the last, refused as well
  expect(choice({ said: ['0 MOVE 3 4'], refused: [] })?.action).toBe('0 MOVE 3 4');
  expect(choice({ said: ['{"type":"ask","seat":0,"what":"resign"}'], refused: [] })).toMatchObject({ resigns: true, action: null });
  expect(choice({ said: [], refused: [] })).toBeNull();
});

test('of an update what a reader wants first', () => {
  const words = { fr: 'a', en: 'b' };
  const update = { observer: 1, legal: ['a', 'b'], clocks: [null, 950], story: [{ words }, null], shown: { x: 1 } };
  expect(gist(update)).toEqual({ legal: ['a', 'b'], story: [{ words }], clock: 950, shown: { x: 1 } });
  expect(gist({})).toEqual({ legal: [], story: [], clock: null, shown: undefined });
});

test('trouble begins with its code', () => {
  expect(['late: The program did not answer in time.', 'Odd', ''].map(troubleCode)).toEqual(['late', '', '']);
});

const turn = (wall: number, more: object = {}) =>
  JSON.stringify({ kind: 'turn', seat: 0, after: 0, at: 0, wall, cpu: wall / 2, allowed: 1000, ...more });
const questions = (...lines: string[]) =>
  readLog(`{"kind":"flight","game":"khet","start_digest":"1","seats":[],"format":1}\n${lines.join('\n')}\n`).questions;

test('a chart has the limit in sight, whether a program is quick or slow', () => {
  for (const wall of [0.05, 0.4, 30, 999, 4000]) {
    const { bars, ticks } = chart(questions(turn(wall), turn(1)));
    const shares = [...bars.flatMap((bar) => [bar.wall, bar.cpu, bar.limit!]), ...ticks.map((tick) => tick.share)];
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
    expect(bars[0]!.wall > bars[0]!.limit!).toBe(wall > 1000);
    expect(bars[0]!.wall).toBeGreaterThanOrEqual(bars[0]!.cpu);
    expect(ticks.length).toBeLessThanOrEqual(4);
  }
});

test('a chart marks trouble and refusals, and knows logs without limits', () => {
  const { bars } = chart(questions(turn(1), turn(1, { refused: ['no'] }), turn(1, { trouble: 'late: x', allowed: 0 })));
  expect(bars.map(({ mark }) => mark)).toEqual([null, 'refused', 'trouble']);
  expect(bars[2]!.limit).toBeNull();
});

test('times as people write them', () => {
  speak('en');
  expect([0.42, 9.96, 35.4, 999, 1250, 12_345].map(duration)).toEqual(['0.4', '10', '35', '999'].map((n) => `${n}\u00a0ms`).concat(['1.25\u00a0s', '12.3\u00a0s']));
  speak('fr');
  expect([0.42, 1250].map(duration)).toEqual(['0,4\u00a0ms', '1,25\u00a0s']);
});

test('a record and the log that has its name', () => {
  const log = '{"kind":"flight"}\n';
  const files = [
    { name: 'khet-00001.flight.jsonl', text: log },
    { name: 'khet-00000.json', text: '{}' },
    { name: 'khet-00001.json', text: '{}' },
    { name: 'khet-00000.flight.jsonl', text: log },
  ];
  expect(pair(files)).toEqual({ record: files[1], log: files[3] });
  expect(pair(files.slice(0, 1))).toEqual({ record: undefined, log: files[0] });
  expect(pair(files.slice(0, 2))).toEqual({ record: files[1], log: files[0] });
  expect(pair([])).toEqual({ record: undefined, log: undefined });
});

test('a browser without a database keeps a log as long as the page', async () => {
  await keepLog('m', 'text');
  expect(await recallLog('m')).toBe('text');
  await dropLog('m');
  expect(await recallLog('m')).toBeNull();
});
