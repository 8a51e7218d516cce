// What a game's pages are made of, and what the shell around them does. A game adds one folder:
//
//   games/<id>/index.ts      export default { Board, Panel?, Editor?, tutorial?, … } satisfies GamePages
//   games/<id>/accent.ts     export default { light, dark, place }: its colour in both themes, its place in lists of games
//   games/<id>/Board.svelte  draws a view and what may be done, and returns an action as text
//   games/<id>/words.ts      its words in French and English
//
// No rules here: a board draws `shown`, offers only what stands in `legal`, and sends one of those texts.

import type { Component } from 'svelte';
import type { components } from '$lib/api/schema';

type Schemas = components['schemas'];

/** French and English; the server's words have the same shape. */
export type Words = Schemas['Words'];

/** One thing that happened, as an observer saw it; each game's `Told` is a union of these, with fields of their own. */
export type StoryEvent = Omit<Schemas['Event'], 'kind'> & { kind: string };

/** The events of one kind, or of some, out of a game's `Told`. */
export type OfKind<Told, Kind extends string> = Extract<Told, { kind: Kind }>;

export const PUBLIC = -2;

/** An action that is advised, or what a reader drew: from cell to cell, or about one cell. */
export interface Arrow {
  from: string;
  to?: string;
  /** Drawn by the reader. */
  mine?: true;
}

/** What an action would do: what would be seen after it, and what would be told. */
export interface Attempt<Shown = unknown, Event = StoryEvent> {
  shown: Shown;
  story: Event[];
}

/** How much motion there shall be while a story is told. */
export interface Motion {
  /** 1 is normal, 2 twice as slow, 0 none at all (also with prefers-reduced-motion). */
  readonly scale: number;
  /** Set when the player clicks to skip, or several newer updates wait: finish at once. */
  readonly skipped: boolean;
  /** Resolves after so many milliseconds of normal speed, or at once when skipped. */
  wait(ms: number): Promise<void>;
}

export interface BoardProps<Shown = unknown, Event = StoryEvent> {
  /** What the observer sees. While a story is told it is still what was seen before. */
  shown: Shown;
  /** Whose eyes: a seat, or PUBLIC. */
  observer: number;
  /** The seat that may act on this screen now, or null. */
  seat: number | null;
  /** Every action that is offered, in notation; empty when there is nothing to do. */
  legal: string[];
  /** Sends one action. It resolves to true when it was accepted. */
  play: (action: string) => Promise<boolean>;
  /** Asks what an action would do, without playing it; null where that is not told (secrets, dice). Answers may be late. */
  attempt?: (action: string) => Promise<Attempt<Shown, Event> | null>;
  /** The names of the seats. */
  names: string[];
  /** The options of the match. */
  options: Record<string, boolean | number | string>;
  /** Colours of the seats, already told apart by shape and pattern elsewhere: CSS colours. */
  colours: string[];
  /** Drawn small, as a picture: no controls, no focus. */
  mini?: boolean;
  /** The player's settings that boards look at. */
  settings: BoardSettings;
  /** Cells to point at: the tutorial, a line of the story that has focus. */
  pointed?: string[];
  /** What is advised: a hint, a better move. */
  arrows?: Arrow[];
  /** The cells of the last move, to be marked; none while a story is told. The marks have `data-last`. */
  last?: string[];
  /** Seen from the other side of the table: the shell turns the board round, names of rows and columns with it. */
  flipped?: boolean;
  /** The match is over, by its rules or otherwise: nothing invites to act any more. */
  over?: boolean;
  /** The picture that any client can draw; sent only to games without pages of their own. */
  board?: Picture | null;
}

/** A grid of short texts: core/board.py. */
export type Picture = Schemas['Board'];

export interface BoardSettings {
  /** Khet: fire at once after a move. */
  autoFire: boolean;
  /** Ask before costly actions. */
  confirm: boolean;
  /** Show names of rows and columns. */
  coordinates: boolean;
}

/** What a board component exports besides its props. */
export interface BoardHandle<Shown = unknown, Event extends StoryEvent = StoryEvent> {
  /** Shows how `before`, which is what `shown` is now, became `after`. When it resolves the shell sets `shown` to
      `after`, and calls it again only when the board has that. False: the player halted it to look around, and whoever
      plays one story after the other stops there. What is in `data-playback` may be clicked meanwhile; any other click
      on the board skips. */
  tell?(before: Shown, after: Shown, story: Event[], motion: Motion): Promise<void | boolean>;
  /** The same where nothing moves, for boards that can show a story again. */
  remember?(before: Shown, after: Shown, story: Event[]): void;
  /** A one-letter key that the shell did not use. True if the board did. */
  key?(event: KeyboardEvent): boolean;
}

/** Beside the board: what the game tells of its players and of what is selected (`choice.svelte.ts`). */
export type PanelProps<Shown = unknown> = Pick<
  BoardProps<Shown>,
  'shown' | 'observer' | 'seat' | 'legal' | 'play' | 'names' | 'colours' | 'options' | 'settings' | 'flipped' | 'over'
>;

/** An editor of setups or maps: it holds `text` in the game's format and tells every change. */
export interface EditorProps {
  text: string;
  /** A new text, after every edit; the shell asks the server whether it is allowed. */
  change: (text: string) => void;
  /** What the server makes of the present text (the PUBLIC view of that start), or null while it is refused. */
  shown: unknown;
  /** Why it is refused, in words, or null. */
  problem: Words | null;
}

/** A first turn that is played with the reader, in a real match that only they see. */
export interface Tutorial {
  /** How the match is made (both seats are the reader's). */
  setup?: string;
  options?: Record<string, boolean | number | string>;
  seed?: number;
  steps: TutorialStep[];
}

export interface TutorialStep {
  /** What is about keys stands in braces: `Press Fire{ (or Space)}`. Who plays with a finger is not told it. */
  say: Words;
  /** Cells to point at. */
  cells?: string[];
  /** Goes on when this action (or one of these) was played; without it, when "next" is pressed. */
  play?: string | string[];
}

export interface GamePages {
  // eslint-disable-next-line -- each game narrows Shown for itself
  Board: Component<any, any>;
  Panel?: Component<any>;
  Editor?: Component<EditorProps>;
  tutorial?: Tutorial;
  /** The colours of the seats where the drawings have colours of their own; otherwise players choose. */
  colours?: { light: string; dark: string }[];
  /** Each seat's mark as its pieces are shaped on the board: outlines around 0, 0, in a box from -50 to 50. */
  shapes?: readonly string[];
  /** False where a board has no sides: then nothing offers to turn it round. */
  turns?: false;
  /** The second seat sits on the other side of the table: its board is turned round from the start. */
  opposite?: true;
  /** The cells of the latest move in what was told so far; without it, the last cells that were named. */
  last?: (story: any[]) => string[];
  /** The cells that an action is about, from first to last, to draw it; without it, those whose names stand in its text. */
  cells?: (action: string, shown: any, observer: number) => string[];
  /** The score after all that was told so far, in a few words: it stands beside the heading of each turn of the story. */
  tally?: (story: any[], names: string[]) => string;
  /** What a score says at the end; null where winning says it all. Without it the number is shown. */
  score?: (points: number) => Words | null;
  /** Width over height of the board on a phone, where it fills the width; 1 if nothing is said. */
  aspect?: number;
}
