// The player's settings, kept by the browser. The page follows them at once.

import { keep, recall } from '$lib/keep';

export interface Settings {
  theme: 'system' | 'light' | 'dark';
  /** How long animations last: 0 none, 1 normal, 2 twice as long. */
  pace: number;
  sound: boolean;
  confirm: boolean;
  autoFire: boolean;
  coordinates: boolean;
  /** Show what computers think, where one only watches. */
  thinking: boolean;
  /** Names of the palette, one's own colour first. */
  colours: string[];
}

const FIRST: Settings = {
  theme: 'system',
  pace: 1,
  sound: true,
  confirm: true,
  autoFire: false,
  coordinates: true,
  thinking: false,
  colours: ['blue', 'orange'],
};

export const settings: Settings = $state({ ...FIRST, ...recall<Partial<Settings>>('settings', {}) });

const systemDark = matching('(prefers-color-scheme: dark)');
const calm = matching('(prefers-reduced-motion: reduce)');

/** Does the browser say so, now and whenever it changes? Listened to for ever: svelte's MediaQuery listens while somebody
 * reads it, and may miss a change while a page is being put together. */
function matching(query: string): { readonly current: boolean } {
  const media = globalThis.matchMedia?.(query);
  let current = $state(media?.matches ?? false);
  media?.addEventListener('change', () => (current = media.matches));
  return {
    get current() {
      return current;
    },
  };
}

let darkened = $state(false);

/** As long as something is shown in the dark, whatever the settings say. Returns how to end it. */
export function darken(): () => void {
  darkened = true;
  return () => (darkened = false);
}

export function dark(): boolean {
  return darkened || settings.theme === 'dark' || (settings.theme === 'system' && systemDark.current);
}

/** The scale of all motion now. */
export function pace(): number {
  return calm.current ? 0 : settings.pace;
}

/** Called once, by the page: keeps what changes and colours the document. */
export function follow(): void {
  $effect(() => keep('settings', settings));
  $effect(() => {
    document.documentElement.dataset.theme = dark() ? 'dark' : 'light';
  });
}
