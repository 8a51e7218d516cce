// What the server shows of a garden (view.py) and tells of a turn (story.py).

import type { StoryEvent, Words } from '$lib/board/contract';

export const GROUNDS = ['grass', 'sand', 'mud', 'sky', 'candy', 'barbecue', 'pool'] as const;
export const SPECIALS = ['sky', 'candy', 'barbecue', 'pool'] as const;
export const RESOURCES = ['food', 'metal', 'stone', 'wood'] as const;
export const CLANS = ['cooks', 'blacksmiths', 'miners', 'lumberjacks'] as const;

export type Ground = (typeof GROUNDS)[number];
export type Resource = (typeof RESOURCES)[number];
export type Clan = (typeof CLANS)[number];
export type PowerName =
  'sky' | 'barbecue' | 'pool' | 'candy' | 'pillage' | 'poison' | 'forge' | 'immobilise' | 'shelter';

export interface Hex {
  name: string;
  ground: Ground;
  resource: Resource;
  amount: number;
  price: number;
  owner: number;
  creatures: number;
  state: 'normal' | 'poisoned' | 'protected';
  ticks: number;
  immobilised: number;
  forged: number;
}

export interface Zone {
  ground: Ground;
  total: number;
  held: number;
  missing: string[];
}

export interface Player {
  seat: number;
  clan: Clan;
  cells: number;
  creatures: number;
  stock: number;
  points: number;
  points_needed: number;
  goods: Record<Resource, number>;
  income: Record<Resource, number>;
  specials: Ground[];
  zones: Zone[];
  next_reinforcement: number;
}

export interface Power {
  name: PowerName;
  resource: Resource | 'points';
  price: number;
  available: boolean;
  code: string;
  why_not: Words;
  targets: string[];
}

export interface Shown {
  hexes: Hex[];
  players: Player[];
  powers: Power[];
  player: number;
  to_act: number;
  phase: 'conquest' | 'reinforcement';
  turn: number;
  round: number;
  rounds: number;
  waiting: '' | 'fight' | 'poison' | 'humans';
  waiting_cells: string[];
  winner: number;
}

export type Told = StoryEvent &
  (
    | { kind: 'entered'; seat: number; how: 'moved' | 'conquered' | 'sheltered'; creatures: number; forged: number }
    | { kind: 'attacked'; seat: number; from_sky: boolean }
    | { kind: 'fought'; seat: number; attack: number[]; defence: number[]; won: boolean }
    | { kind: 'repelled'; seat: number; lost: number }
    | { kind: 'point'; seat: number; points: number }
    | { kind: 'goods'; seat: number; why: 'earned' | 'paid' | 'pillaged'; amounts: Partial<Record<Resource, number>> }
    | { kind: 'ticked'; seat: number; die: number; dice: number[]; ticks: number }
    | { kind: 'died'; seat: number; dead: number; left: number }
    | { kind: 'absorbed'; seat: number }
    | { kind: 'used'; seat: number; power: PowerName }
    | { kind: 'deported'; seat: number; creatures: number }
    | { kind: 'stocked'; seat: number; why: 'reinforcement' | 'candy' | 'sweets'; creatures: number }
    | { kind: 'placed'; seat: number; creatures: number }
    | { kind: 'faded'; seat: number; state: 'immobilised' | 'forged'; left: number }
    | { kind: 'passed'; seat: number; turns: number }
    | { kind: 'humans'; what: 'quiet' | 'footstep' | 'lunch' | 'sweets' }
    | { kind: 'over'; winner: number }
  );
