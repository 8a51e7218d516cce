// A class for tests, typed as the server's answers are.

import type { ClassContest, ClassEntrant, MyEntrant, PupilContest, RoundState } from './api';

export const round = (number: number, played = 0, wanted = 0, running = false): RoundState => ({
  ...{ number, played, wanted, running },
});

export const entrant = (name: string, more: Partial<ClassEntrant> = {}): ClassEntrant => ({
  ...{ name, kind: 'program' as const, accepted: true, present: true, playing: false, matches: 0, points: 0 },
  ...{ place: null, rating: null, mishap: null, notes: '', file: '' },
  ...more,
});

export const contest = (more: Partial<ClassContest> = {}): ClassContest => ({
  ...{ id: 'cup', name: 'Cup', game: 'khet', format: 'round_robin' as const, seats: 2, turn: 1, matches: 2 },
  ...{ open: true, created: 0, round: round(0), entrants: [entrant('Ada'), entrant('level:1', { kind: 'computer' })] },
  ...more,
});

export const mine = (more: Partial<MyEntrant> = {}): MyEntrant => ({
  ...{ kind: 'program' as const, accepted: true, present: true, playing: false, matches: 0, points: 0, place: null },
  ...{ rating: null, mishap: null, notes: '', file: '', uploaded: null },
  ...more,
});

export const pupilContest = (more: Partial<PupilContest> = {}): PupilContest => ({
  ...{ id: 'cup', name: 'Cup', game: 'khet', format: 'round_robin' as const, seats: 2, turn: 1, open: true },
  ...{ round: round(0), kinds: ['program' as const], mine: mine() },
  ...more,
});
