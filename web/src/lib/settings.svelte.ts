// The player's settings, kept by the browser. The page follows them at once.

import { MediaQuery } from 'svelte/reactivity';
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
  sound: false,
  confirm: true,
  autoFire: false,
  coordinates: true,
  thinking: false,
  colours: ['blue', 'orange'],
};

export const settings: Settings = $state({ ...FIRST, ...recall<Partial<Settings>>('settings', {}) });

const systemDark = new MediaQuery('(prefers-color-scheme: dark)', false);
const calm = new MediaQuery('(prefers-reduced-motion: reduce)', false);

export function dark(): boolean {
  return settings.theme === 'dark' || (settings.theme === 'system' && systemDark.current);
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
