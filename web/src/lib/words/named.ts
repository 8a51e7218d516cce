// The server's sentences call players by the number of their seat: the rules know no names. Here they get them.

import type { Words } from '$lib/board/contract';

/** “player 2’s thief” is “Blaise’s thief”, « du joueur 2 » is « de Blaise »; seats without a name keep their number. */
export function named(words: Words, names: readonly string[]): Words {
  const name = (seat: string) => names[Number(seat) - 1];
  return {
    fr: words.fr
      .replace(/\bdu joueur (\d+)/g, (old, seat: string) => (name(seat) ? ofName(name(seat)!) : old))
      .replace(/\ble joueur (\d+)/gi, (old, seat: string) => name(seat) || old),
    en: words.en.replace(/\bplayer (\d+)/gi, (old, seat: string) => name(seat) || old),
  };
}

/** In French: « de Blaise », « d’Ada », « du niveau 2 », « du camp A ». */
export function ofName(name: string): string {
  const side = /^(niveau|joueur|camp|clan) (\w{1,2})$/i.exec(name);
  if (side) return `du ${side[1]!.toLowerCase()} ${side[2]}`;
  return /^[aeiouyàâäéèêëîïôöùûü]/i.test(name) ? `d’${name}` : `de ${name}`;
}
