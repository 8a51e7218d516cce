// What is written beside a .wasm file: core/compile/wasm.py says how to call it, players/portable.py how to think.

/** A number as it lies in memory; `i1` and `void` are of functions only. */
export type NumberKind = 'i8' | 'i16' | 'i32' | 'i64' | 'u64' | 'double';

export interface Field {
  at: number;
  /** A number, or the name of a structure. */
  kind: string;
  shape: number[];
}

export interface Layout {
  size: number;
  fields: Record<string, Field>;
}

export interface Parameter {
  name: string;
  kind: string;
  /** 0: one number or one structure; 1 and 2: rows of them. */
  dimensions: number;
}

export interface Signature {
  takes: Parameter[];
  gives: 'i1' | 'i64' | 'u64' | 'double' | 'void';
}

export interface Description {
  game: string;
  /** Of the rules: whoever exchanges states with others must have the same. */
  digest: string;
  /** Of the sources: whoever asks a server about positions must have the same. */
  sources: string;
  open: boolean;
  /** Who plays this game best. */
  adviser: 'alphabeta' | 'mcts';
  /** How players/analysis.py judges, and how long a line is. */
  judging: { steep: number; worlds: number; mistake: number; blunder: number; longestLine: number; rolls: number };
  maxLegal: number;
  structures: Record<string, Layout>;
  functions: Record<string, Signature>;
  /** `pages` of 64 kB before anybody asks for room, and the most that a shared memory may have; the rest in bytes. */
  memory: { pages: number; mostPages: number; stack: number; tables: number; shared: boolean };
  alphabeta: { win: number; maxPly: number; ages: number; deepest: number; megabytes: number; contempt: number };
  mcts: { nodes: number; habits: Record<string, number> };
}
