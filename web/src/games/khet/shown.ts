// What the server shows of Khet and tells of it (view.py), as its schema has it.

import type { components } from '$lib/api/schema';

type Schemas = components['schemas'];
export type Shown = Schemas['khet.Shown'];
export type Told = Schemas['khet.Told'];
export type Piece = Schemas['khet.Piece'];
export type Kind = Piece['kind'];
