// Sounds are on until somebody mutes them in the header, for good; the desktop calls who looks at something else.
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api, Problem } from '$lib/api/client';
import { drop, recall } from '$lib/keep';
import { settings } from '$lib/settings.svelte';
import * as sound from '$lib/sound';
import App from '../../App.svelte';
import { callAttention } from './attention.svelte';
import Company from './Company.svelte';
import type { MatchOnScreen } from './match.svelte';

vi.mock('$lib/sound', () => ({ moved: vi.fn(), yourTurn: vi.fn(), word: vi.fn() }));
const notes: [string, string | undefined][] = [];
class Note {
  static permission = 'granted';
  constructor(title: string, options?: NotificationOptions) {
    notes.push([title, options?.body]);
  }
}

beforeEach(() => {
  notes.length = 0;
  vi.stubGlobal('Notification', Note);
  vi.mocked(sound.moved).mockClear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const affair = $state({ title: 'Your turn', game: 'Khet', mine: false, alone: false, told: 0 });
function attend(): () => void {
  Object.assign(affair, { mine: false, alone: false, told: 0 });
  const end = $effect.root(() => callAttention(() => affair));
  flushSync();
  return end;
}
function goesOn(change: Partial<typeof affair>): void {
  Object.assign(affair, change);
  flushSync();
}
const pressed = (name: string) => document.querySelector<HTMLElement>(`[aria-label="${name}"]`)!;

test('a move is heard, until the header mutes it; that is kept', async () => {
  vi.spyOn(api, 'games').mockRejectedValue(new Problem('away', { fr: 'Absent', en: 'Away' }, '', 503));
  document.body.innerHTML = '';
  const page = mount(App, { target: document.body });
  const end = attend();
  goesOn({ told: 1 });
  expect(sound.moved).toHaveBeenCalledTimes(1);
  pressed('Mute the sounds').click();
  flushSync();
  goesOn({ told: 2 });
  expect(sound.moved).toHaveBeenCalledTimes(1);
  expect(recall('settings', settings).sound).toBe(false);
  end();
  void unmount(page);
  settings.sound = true;
});

test('the desktop calls when it is one’s turn against somebody, and nobody looks', () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const end = attend();
  goesOn({ mine: true });
  expect(notes).toEqual([['Khet', 'It is your turn.']]);
  goesOn({ mine: false });
  hidden.mockReturnValue(false); // one looks
  goesOn({ mine: true });
  goesOn({ mine: false });
  hidden.mockReturnValue(true);
  goesOn({ mine: true, alone: true }); // nobody waits
  expect(notes.length).toBe(1);
  end();
});

test('messages that were hidden once are hidden at the next table', () => {
  drop('muted');
  const remarks = [{ n: 1, seat: 1, phrase: 'hello', text: '' }];
  const match = { remarks, yours: [0], welcome: null } as unknown as MatchOnScreen;
  const table = () => {
    document.body.innerHTML = '';
    const page = mount(Company, { target: document.body, props: { match, names: ['Ada', 'Blaise'] } });
    flushSync();
    return page;
  };
  const said = () => document.querySelector('[role=log]')!.textContent!.includes('Hello!');
  let page = table();
  expect(said()).toBe(true);
  [...document.querySelectorAll('button')].find((each) => each.textContent!.includes('Hide the messages'))!.click();
  flushSync();
  expect(said()).toBe(false);
  void unmount(page);
  page = table();
  expect(said()).toBe(false);
  void unmount(page);
  drop('muted');
});
