// What a page and its engine's worker say to each other.

import type { Judged, Opinion } from './adviser';
import type { Description } from './description';
import type { Chosen, Task } from './opponent';

export type Question = { id: number } & (
  | { kind: 'begin'; module: WebAssembly.Module; about: Description }
  | { kind: 'think'; bytes: Uint8Array; seat: number; time: number }
  | { kind: 'judge'; bytes: Uint8Array; seat: number; time: number; action: bigint }
  | { kind: 'choose'; bytes: Uint8Array; seat: number; task: Task }
);

export type Answer = { id: number } & (
  | { kind: 'ready' }
  | { kind: 'told' | 'thought'; opinion: Opinion }
  | { kind: 'judged'; judged: Judged }
  | { kind: 'chosen'; chosen: Chosen }
  | { kind: 'failed'; why: string }
);
