// What the server shows of a garden (view.py) and tells of a turn (story.py), as its schema has it.

import type { components } from '$lib/api/schema';

type Schemas = components['schemas'];
export type Shown = Schemas['garden.Shown'];
export type Told = Schemas['garden.Told'];
export type Hex = Schemas['garden.Hex'];
export type Player = Schemas['garden.Player'];
export type Power = Schemas['garden.Power'];
export type Zone = Schemas['garden.Zone'];
export type Ground = Hex['ground'];
export type Resource = Hex['resource'];
export type Clan = Player['clan'];
export type PowerName = Power['name'];

export const GROUNDS = ['grass', 'sand', 'mud', 'sky', 'candy', 'barbecue', 'pool'] as const;
export const SPECIALS = ['sky', 'candy', 'barbecue', 'pool'] as const;
export const RESOURCES = ['food', 'metal', 'stone', 'wood'] as const;
export const CLANS = ['cooks', 'blacksmiths', 'miners', 'lumberjacks'] as const;
