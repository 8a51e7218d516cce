// What the server shows of Cultist and tells of it (view.py), as its schema has it.

import type { components } from '$lib/api/schema';

type Schemas = components['schemas'];
export type Shown = Schemas['cultist.Shown'];
export type Told = Schemas['cultist.Told'];
export type Unit = Schemas['cultist.Unit'];
export type Obstacle = Schemas['cultist.Obstacle'];
export type Aim = Schemas['cultist.Aim'];
