// What the server shows of Casus Belli (view.py) and tells of a turn (telling.py), as its schema has it.

import type { components } from '$lib/api/schema';

type Schemas = components['schemas'];
export type Shown = Schemas['casus_belli.Shown'];
export type Told = Schemas['casus_belli.Told'];
export type Unit = Schemas['casus_belli.Unit'];
export type Corpse = Schemas['casus_belli.Corpse'];
export type Own = Schemas['casus_belli.Own'];
export type Hotspot = Schemas['casus_belli.Hotspot'];
export type Struck = Schemas['casus_belli.Struck'];
export type Role = Unit['role'];
export type Facing = Unit['facing'];
