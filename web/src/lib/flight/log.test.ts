import { describe, expect, test } from 'vitest';
import { askedSeats, checkLog, isLog, neighbour, questionAt, readLog, type Recorded } from './log';

const HEAD = { kind: 'flight', game: 'khet', start_digest: '47c1', seats: ['program:./bot', 'level:1'], format: 1 };
const turn = (after: number, at: number, more: object = {}) => ({
  kind: 'turn', seat: 0, after, at, told: '', said: ['x'], refused: [], notes: '', wall: 5, cpu: 1, trouble: '', allowed: 1000, ...more,
});
const file = (...lines: unknown[]) => lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
const RECORD: Recorded = {
  game: 'khet',
  start_digest: '47c1',
  seats: [{ player: 'program:./bot' }, { player: 'level:1' }],
  entries: [20, 30, 60, 61].map((at) => ({ kind: 'action', at })),
};
const GOOD = file(HEAD, turn(0, 3), turn(2, 31), turn(4, 61));
const problem = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return '';
};

describe('reading', () => {
  test('a whole log', () => {
    const log = readLog(GOOD);
    expect([log.game, log.start, log.seats, log.cut]).toEqual(['khet', '47c1', HEAD.seats, false]);
    expect(log.questions.map(({ after }) => after)).toEqual([0, 2, 4]);
  });
  test('a last line that is cut off is left out, wherever it is cut', () => {
    const last = JSON.stringify(turn(4, 61)).length + 1;
    for (let less = 2; less <= last; less++) {
      const log = readLog(GOOD.slice(0, -less));
      expect([log.questions.length, log.cut]).toEqual([2, less < last]);
    }
    expect(readLog(GOOD.slice(0, -1)).questions.length).toBe(3); // only its end of line is missing
  });
  test('a file with its head alone has no questions', () => {
    for (const text of [file(HEAD), JSON.stringify(HEAD)])
      expect([readLog(text).questions, readLog(text).cut]).toEqual([[], false]);
  });
  test('what is damaged is refused with its line', () => {
    expect(() => readLog(file(HEAD, turn(0, 3), '{"kind":"tu', turn(4, 61)))).toThrow('its line 3 cannot be read');
    expect(problem(() => readLog(file(HEAD, { ...turn(0, 3), after: 'x' }, turn(2, 31))))).toBe('damaged_log');
  });
  test('other files are no logs', () => {
    for (const text of ['', 'hello', '[]', '{"format":1,"game":"khet"}', '{\n "game": "khet"\n}'])
      expect([isLog(text), problem(() => readLog(text))]).toEqual([false, 'no_log']);
    expect([isLog(GOOD), problem(() => readLog(file({ ...HEAD, format: 2 })))]).toEqual([true, 'newer_log']);
  });
});

describe('the match that it belongs to', () => {
  test('its own', () => expect(problem(() => checkLog(readLog(GOOD), RECORD))).toBe(''));
  test.each([
    ['another game', { game: 'cultist' }],
    ['another start', { start_digest: '0000' }],
    ['other players', { seats: [{ player: 'level:1' }, { player: 'program:./bot' }] }],
    ['a shorter one', { entries: RECORD.entries.slice(0, 3) }],
    ['the same start and players at other times', { entries: [20, 30, 40, 61].map((at) => ({ kind: 'action', at: at + 40 })) }],
  ])('%s', (_, other) => expect(problem(() => checkLog(readLog(GOOD), { ...RECORD, ...other }))).toBe('other_log'));
  test('where moves were taken back, times tell nothing', () => {
    const entries = [...RECORD.entries.slice(0, 1), { kind: 'event', event: 'take_back', at: 25 }];
    expect(problem(() => checkLog(readLog(GOOD), { ...RECORD, entries }))).toBe('');
  });
});

describe('in step with the position', () => {
  const { questions } = readLog(file(HEAD, turn(1, 21), turn(3, 60), turn(3, 60, { seat: 1 }), turn(7, 99)));
  test('the question that was asked there, or the last one before', () => {
    expect([0, 1, 2, 3, 4, 6, 7, 50].map((at) => questionAt(questions, at))).toEqual([-1, 0, 0, 1, 2, 2, 3, 3]);
  });
  test('of several at one position the one that was picked', () => {
    expect([questionAt(questions, 3, 2), questionAt(questions, 3, 3), questionAt([], 3, 2)]).toEqual([2, 1, -1]);
  });
  test('the next one, and the one before', () => {
    const from = (at: number, step: 1 | -1) => neighbour(questions, at, questionAt(questions, at), step);
    expect([0, 1, 2, 3, 7, 9].map((at) => from(at, 1))).toEqual([0, 1, 1, 2, -1, -1]);
    expect([0, 1, 2, 3, 7, 9].map((at) => from(at, -1))).toEqual([-1, -1, 0, 0, 2, 3]);
  });
  test('the seats that were asked', () => expect(askedSeats({ ...readLog(GOOD), questions })).toEqual([0, 1]));
});
