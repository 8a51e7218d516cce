// The tab says whose turn it is, sounds say what happens, and the desktop calls who looks at something else.

import { settings } from '$lib/settings.svelte';
import * as sound from '$lib/sound';
import { table } from '$lib/words/language.svelte';
import { callOut } from './calling';

const words = table({ fr: { turn: 'À vous de jouer.' }, en: { turn: 'It is your turn.' } });

interface Affair {
  title: string;
  game: string;
  /** Somebody on this screen may act. */
  mine: boolean;
  /** Nobody else plays who might keep one waiting. */
  alone: boolean;
  /** Something was told: how much, so far. */
  told: number;
}

export function callAttention(affair: () => Affair): void {
  let was = false;
  let heard = -1;
  $effect(() => {
    const { title, game, mine } = affair();
    document.title = `${mine ? '● ' : ''}${title} — ${game}`;
  });
  $effect(() => {
    const { mine, alone, told, game } = affair();
    if (heard >= 0 && told > heard && settings.sound) sound.moved();
    heard = told;
    if (mine && !was && !alone) callOut(game, words().turn, location.pathname);
    if (mine && !was && settings.sound && (!document.hasFocus() || !alone)) sound.yourTurn();
    was = mine;
  });
}
