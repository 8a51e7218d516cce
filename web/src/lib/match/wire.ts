// The words on the wire, as the server's schema describes them.

import type { components } from '$lib/api/schema';
import type { Picture, StoryEvent } from '$lib/board/contract';

type Schemas = components['schemas'];
export type Welcome = Schemas['Welcome'];
export type Update = Omit<Schemas['Update'], 'shown' | 'story' | 'board'> & {
  shown: unknown;
  story: StoryEvent[];
  board?: Picture | null;
};
export type Changed = Omit<Schemas['Changed'], 'shown'> & { shown?: Record<string, unknown> };
export type Refused = Schemas['Refused'];
export type Tried = Schemas['Tried'];
export type Waiting = Schemas['Waiting'];
export type Thinking = Schemas['Thinking'];
export type Outcome = Schemas['Outcome'];
export type SeatShown = Schemas['SeatShown'];
export type ToClient = Welcome | Update | Changed | Schemas['Accepted'] | Tried | Refused | Thinking | Waiting | Schemas['Said'] | Schemas['Pong'];
export type ToServer = Schemas['Hello' | 'Play' | 'Try' | 'Ask' | 'Look' | 'Ping' | 'Say'];
export type Said = Schemas['Said'];
export type Question = Schemas['Ask']['what'];
export type Card = Schemas['Card'];
