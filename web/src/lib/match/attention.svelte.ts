// The tab says whose turn it is, and a sound does if one likes.

import { settings } from '$lib/settings.svelte';
import * as sound from '$lib/sound';

interface Affair {
  title: string;
  game: string;
  /** Somebody on this screen may act. */
  mine: boolean;
  /** Nobody else plays who might keep one waiting. */
  alone: boolean;
}

export function callAttention(affair: () => Affair): void {
  let was = false;
  $effect(() => {
    const { title, game, mine } = affair();
    document.title = `${mine ? '● ' : ''}${title} — ${game}`;
  });
  $effect(() => {
    const { mine, alone } = affair();
    if (mine && !was && settings.sound && (!document.hasFocus() || !alone)) sound.yourTurn();
    was = mine;
  });
}
