// The start that a game offers to whoever does not want to choose, and a match against the computer from it.

import { api, type GameShown, type Length, type Start, type WantedSeat } from '$lib/api/client';
import { hold, myName } from '$lib/keep';
import { go } from '$lib/router.svelte';
import { say, table } from '$lib/words/language.svelte';

const words = table({ fr: { player: 'Joueur' }, en: { player: 'Player' } });
const LEVEL = 'level:2'; // one that a beginner can beat after a few attempts

export function usualLength(game: GameShown): Length | undefined {
  return game.lengths.find((length) => length.usual);
}

export function usualStart(game: GameShown): Start {
  const length = usualLength(game);
  return { preset: game.presets[0]?.name ?? null, setup: length?.setup ?? null, options: { ...length?.options } };
}

export function seatName(game: GameShown, seat: number): string {
  const name = game.card.seat_names?.[seat];
  return name ? say(name) : `${words().player} ${seat + 1}`;
}

/** Begins at once: the reader on the first seat, a gentle computer on the others. */
export async function playComputer(game: GameShown): Promise<void> {
  const start = usualStart(game);
  const { seats } = await api.preview(game.card.id, start);
  const player = game.players.some((each) => each.spec === LEVEL) ? LEVEL : (game.players[0]?.spec ?? 'random');
  const wanted = Array.from({ length: seats }, (_, n): WantedSeat =>
    n === 0
      ? { kind: 'here', name: myName() || seatName(game, 0), player: '' }
      : { kind: 'computer', name: '', player },
  );
  const made = await api.make({ game: game.card.id, seats: wanted, ...start, seed: null });
  hold(made.id, game.card.id, made.seats);
  go(`/match/${made.id}`);
}
