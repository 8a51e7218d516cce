// A class: how things stand for a pupil, who could play a round, tokens and keys that are kept, and the command.
import { beforeEach, expect, test, vi } from 'vitest';
import { keep } from '$lib/keep';
import { speak } from '$lib/words/language.svelte';
import type { GameShown } from '$lib/api/client';
import { ContestDraft } from './draft.svelte';
import { commandOf, forget, known, linked, remember, tidyCode } from './pupil.svelte';
import { MyResults } from './results.svelte';
import { contest, entrant, mine, pupilContest, round } from './sample';
import { brought, fileName, keptToken, readiness } from './teacher.svelte';
import { roundLine, standing } from './words';

beforeEach(() => {
  speak('en');
  localStorage.clear();
  for (const key of ['class.pupils', 'classroom.draft']) keep(key, key === 'class.pupils' ? [] : {});
});

test.each([
  ['nothing', { mine: null }],
  ['waiting', { mine: mine({ accepted: false }) }],
  ['away', { mine: mine({ present: false }) }],
  ['playing', { mine: mine({ playing: true, present: false }) }],
  ['running', { round: round(2, 3, 9, true) }],
  ['ready', { round: round(2, 9, 9) }],
  ['over', { open: false }],
  ['over', { open: false, mine: null }],
] as const)('for a pupil it stands: %s', (what, more) => expect(standing(pupilContest(more))).toBe(what));

test('a round in words', () => {
  expect(roundLine(round(0))).toBe('No round has begun yet.');
  expect(roundLine(round(2, 3, 9, true))).toBe('Round 2: 3 of 9 matches played.');
  expect(roundLine(round(2, 9, 9))).toBe('Round 2 is over: 9 matches played.');
});

test('who could play a round, and who waits to be accepted', () => {
  const entrants = [entrant('Ada'), entrant('Bob', { present: false }), entrant('Eve', { accepted: false })];
  expect(readiness(contest({ entrants }))).toEqual({ accepted: 2, ready: 1, waiting: ['Eve'] });
});

test('the teacher’s token is kept, and taken out of the address', () => {
  history.replaceState(null, '', '/classroom#token=s3cret');
  expect(brought()).toBe('s3cret');
  expect(location.href).not.toContain('s3cret');
  expect(brought()).toBeNull();
  expect(keptToken()).toBe('s3cret');
});

test('a browser knows who it is in each class, and in the one it was in last', () => {
  const [ada, bob] = [
    { code: 'ABCDEF', name: 'Ada', key: 'k1' },
    { code: 'GHIJKL', name: 'Bob', key: 'k2' },
  ];
  expect(known()).toBeNull();
  remember(ada);
  remember(bob);
  expect([known(), known('ABCDEF'), known('XXXXXX')]).toEqual([bob, ada, null]);
  forget('GHIJKL');
  expect(known()).toEqual(ada);
});

test('a code is read however it is typed', () => {
  expect(['abc def', ' ab-cd.ef\n', 'ABCDEF'].map(tidyCode)).toEqual(['ABCDEF', 'ABCDEF', 'ABCDEF']);
  history.replaceState(null, '', '/class#code=abcdef');
  expect(linked()).toBe('ABCDEF');
});

test.each([
  ['Ada', 'Ada'],
  ['Émilie du Châtelet', '"Émilie du Châtelet"'],
  ['a"b$c', '"a\\"b\\$c"'],
])('the command of %s has everything filled in', (name, said) => {
  const line = commandOf({ addresses: ['http://10.0.0.2:8765'] }, { id: 'cup' }, { code: 'ABCDEF', name, key: 'k3y' });
  expect(line).toBe(`quincunx bot --arena http://10.0.0.2:8765/contest/cup --name ${said} --key k3y -- `);
});

test('marks are a file with an honest name', () => {
  expect([fileName('Khet, 18 nov.'), fileName('../..'), fileName('Échecs ♟')]).toEqual(['Khet-18-nov', 'quincunx', 'Échecs']);
});

test('what a pupil’s matches were', () => {
  const results = new MyResults('cup', 'Ada');
  const result = (players: string[], ranks: number[], troubles = ['', '']) => ({
    ...{ pairing: 0, number: 0, players, ranks, troubles, reason: 'played', start: '', at: 0 },
  });
  const late = result(['Bob', 'Ada'], [1, 2], ['', 'late']);
  results.list = [result(['Ada', 'Bob'], [1, 2]), result(['Bob', 'Ada'], [1, 1], ['late', '']), late];
  expect(results.list.map((each) => results.how(each))).toEqual(['won', 'drawn', 'lost']);
  expect(results.troubled).toBe(late);
});

const game = (id: string, more: object = {}) =>
  ({
    card: { id, name: { fr: id, en: id }, seats: [2, 2] },
    players: ['random', 'level:1', 'level:2', 'level:3'].map((spec) => ({ spec, label: { fr: '', en: '' } })),
    ...{ presets: [], lengths: [], options: [], setups: [] },
    ...more,
  }) as unknown as GameShown;

test('a contest is good as it stands, and the next one begins like it', () => {
  const length = (name: string, usual: boolean, more = {}) => ({ name, usual, options: { turns: usual ? 40 : 80 }, ...more });
  const casus = game('casus', {
    card: { id: 'casus', name: { fr: 'Casus', en: 'Casus' }, seats: [2, 6] },
    presets: [{ name: 'own' }],
    lengths: [length('map', true, { setup: 'a' }), length('long', false), length('short', true)],
  });
  const draft = new ContestDraft([game('khet'), casus], Date.UTC(2026, 10, 18, 12));
  expect(draft.wanted).toEqual({
    ...{ name: 'khet, November 18', game: 'khet', preset: null, options: {}, seats: 0, turn: 1, format: 'round_robin' },
    ...{ matches: 0, computers: ['level:1', 'level:3'] },
  });
  draft.choose('casus');
  draft.toggle('level:2', true);
  draft.toggle('level:3', false);
  draft.name = '  Grand soir ';
  draft.turn = 5;
  draft.remember();
  expect(draft.sizes).toEqual([2, 3, 4, 5, 6]);
  expect(draft.wanted).toMatchObject({ name: 'Grand soir', preset: 'own', options: { turns: 40 }, computers: ['level:1', 'level:2'] });
  const next = new ContestDraft([game('khet'), casus]);
  expect([next.id, next.turn, next.name]).toEqual(['casus', 5, '']);
});

test('a page is asked for again and again, survives a server that is away, and stops when it is refused', async () => {
  vi.useFakeTimers();
  const { Problem } = await import('$lib/api/client');
  const { Asked } = await import('$lib/ui/asked.svelte');
  const words = { fr: 'non', en: 'no' };
  const answers = [1, 2, new Problem('away', words), new Problem('busy', words, '', 429), 3, new Problem('not_yours', words, '', 403), 4];
  const asked = new Asked(async () => {
    const next = answers.shift();
    if (next instanceof Problem) throw next;
    return next;
  }, 1000);
  const seen: unknown[] = [];
  for (let n = 0; n < 8; n++) {
    await vi.advanceTimersByTimeAsync(n ? 1000 : 0);
    seen.push([asked.page, asked.away, asked.refused?.code ?? null]);
  }
  asked.close();
  expect(seen).toEqual([
    [1, false, null],
    [2, false, null],
    [2, true, null],
    [2, true, null],
    [3, false, null],
    [3, false, 'not_yours'],
    [3, false, 'not_yours'],
    [3, false, 'not_yours'],
  ]);
  vi.useRealTimers();
});

test('in the background a page is asked for seldom, or not at all', async () => {
  vi.useFakeTimers();
  const { Asked } = await import('$lib/ui/asked.svelte');
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const counts = { seldom: 0, never: 0 };
  const pages = [new Asked(async () => ++counts.seldom, 1000, 3000), new Asked(async () => ++counts.never, 1000)];
  await vi.advanceTimersByTimeAsync(9500);
  expect(counts).toEqual({ seldom: 4, never: 1 });
  hidden.mockReturnValue(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(counts.never).toBeGreaterThan(1);
  for (const page of pages) page.close();
  hidden.mockRestore();
  vi.useRealTimers();
});

test('what was done is shown at once, and an older answer does not undo it', async () => {
  const { Asked } = await import('$lib/ui/asked.svelte');
  const answers: ((page: string) => void)[] = [];
  const asked = new Asked(() => new Promise<string>((done) => answers.push(done)), 60_000);
  const done = asked.after(async () => 'after it');
  await vi.waitFor(() => expect(asked.page).toBe('after it'));
  answers[0]!('before it');
  answers[1]!('and then');
  expect(await done).toBeNull();
  expect(asked.page).toBe('and then');
  asked.close();
});
