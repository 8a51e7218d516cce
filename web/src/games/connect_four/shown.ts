// What the server shows of Connect Four and tells of it (view.py), as its schema has it.

import type { components } from '$lib/api/schema';

type Schemas = components['schemas'];
export type Shown = Schemas['connect_four.Shown'];
export type Told = Schemas['connect_four.Told'];
