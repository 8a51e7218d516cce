// A compiled game: its memory, structures by the names of their fields, and its functions by theirs. It runs in a page,
// in a worker and in Node. Whole numbers of 64 bits are BigInt, smaller ones and fractions are numbers.

import type { Description, Field, NumberKind, Parameter } from './description';

/** Structures or numbers in the memory of an engine, one after the other. */
export interface Rows {
  readonly at: number;
  readonly kind: string;
  /** Bytes of one of them. */
  readonly size: number;
  readonly lengths: readonly number[];
}

export type Given = Rows | number | bigint | boolean;
export type Came = bigint | number | boolean | undefined;

type Exported = (...given: (number | bigint)[]) => bigint | number | undefined;

const PAGE = 65_536;
const LINE = 64; // rows begin where a line of the processor's cache does
const SIZES: Record<NumberKind, number> = { i8: 1, i16: 2, i32: 4, i64: 8, u64: 8, double: 8 };

/** The clock that a search looks at, in nanoseconds. */
function now(): bigint {
  return BigInt(Math.round(performance.now() * 1e6));
}

export class Engine {
  readonly about: Description;
  readonly memory: WebAssembly.Memory;
  private readonly exported: Record<string, Exported>;
  private seen: DataView;
  private next = 0;
  private end = 0;

  private constructor(about: Description, exported: WebAssembly.Exports, memory: WebAssembly.Memory) {
    this.about = about;
    this.memory = memory;
    this.exported = exported as unknown as Record<string, Exported>;
    this.seen = new DataView(memory.buffer);
  }

  /** `memory` is for a module that was built for a shared one: each thread has an engine, and each engine its stack. */
  static async make(module: WebAssembly.Module, about: Description, memory?: WebAssembly.Memory): Promise<Engine> {
    const { exports } = await WebAssembly.instantiate(module, { env: memory ? { memory, now } : { now } });
    if (!memory) return new Engine(about, exports, exports.memory as WebAssembly.Memory);
    const pages = Math.ceil(about.memory.stack / PAGE);
    const pointer = exports.stack_pointer as WebAssembly.Global | undefined; // it goes down
    if (pointer) pointer.value = (memory.grow(pages) + pages) * PAGE;
    return new Engine(about, exports, memory);
  }

  // -- functions ------------------------------------------------------------------------------------------------------

  /** By its name; rows become an address and their lengths. */
  call(name: string, ...given: Given[]): Came {
    const signature = this.about.functions[name];
    const inner = this.exported[name];
    if (!signature || !inner) throw new Error(`${this.about.game} has no function ${name}`);
    if (signature.takes.length !== given.length) {
      throw new Error(`${name} takes ${signature.takes.length} arguments, not ${given.length}`);
    }
    const came = inner(...signature.takes.flatMap((wanted, k) => lowered(name, wanted, given[k] as Given)));
    if (signature.gives === 'u64') return BigInt.asUintN(64, came as bigint);
    return signature.gives === 'i1' ? came !== 0 : came;
  }

  /** A function that gives a whole number. */
  count(name: string, ...given: Given[]): bigint {
    return this.call(name, ...given) as bigint;
  }

  /** When a search must come back, so many milliseconds from now; without any, it looks at no clock. */
  deadline(milliseconds: number | undefined): bigint {
    return milliseconds === undefined ? 0n : now() + BigInt(Math.round(milliseconds * 1e6));
  }

  // -- room, which is kept for ever -----------------------------------------------------------------------------------

  rows(kind: string, n = 1): Rows {
    const size = this.layout(kind).size;
    return { at: this.room(size * n), kind, size, lengths: [n] };
  }

  ints(n: number): Rows {
    return { at: this.room(8 * n), kind: 'i64', size: 8, lengths: [n] };
  }

  grid(rows: number, n: number): Rows {
    return { at: this.room(8 * rows * n), kind: 'i64', size: 8 * n, lengths: [rows, n] };
  }

  private room(bytes: number): number {
    const whole = Math.ceil(bytes / LINE) * LINE;
    if (this.next + whole > this.end) {
      const pages = Math.ceil(whole / PAGE);
      this.next = this.memory.grow(pages) * PAGE;
      this.end = this.next + pages * PAGE;
    }
    this.next += whole;
    return this.next - whole;
  }

  // -- reading and writing --------------------------------------------------------------------------------------------

  /** Looked for each time: when memory grows, views of it end. */
  bytes(rows: Rows): Uint8Array {
    return new Uint8Array(this.memory.buffer, rows.at, rows.size * (rows.lengths[0] ?? 0));
  }

  clear(rows: Rows): void {
    this.bytes(rows).fill(0);
  }

  /** The first of `rows` becomes what these bytes say, or the first of other rows. */
  put(rows: Rows, source: Uint8Array | Rows): void {
    const bytes = source instanceof Uint8Array ? source : this.bytes(source);
    if (bytes.length < rows.size) throw new Error(`${rows.kind} has ${rows.size} bytes, not ${bytes.length}`);
    this.bytes(rows).set(bytes.subarray(0, rows.size));
  }

  /** A number of row `k`; of a field that is a row of numbers, its number `index`. */
  get(rows: Rows, name: string, k = 0, index = 0): number | bigint {
    const { at, kind } = this.field(rows.kind, name);
    return this.read(kind as NumberKind, rows.at + k * rows.size + at + index * SIZES[kind as NumberKind]);
  }

  set(rows: Rows, name: string, value: number | bigint, k = 0): void {
    const { at, kind } = this.field(rows.kind, name);
    this.write(kind as NumberKind, rows.at + k * rows.size + at, value);
  }

  /** The first `n` of some `ints`. */
  numbers(ints: Rows, n: number): bigint[] {
    return Array.from({ length: n }, (_, k) => this.view.getBigInt64(ints.at + 8 * k, true));
  }

  /** Puts numbers at the beginning of some `ints`. */
  write64(ints: Rows, numbers: bigint[]): void {
    numbers.forEach((number, k) => this.view.setBigInt64(ints.at + 8 * k, number, true));
  }

  /** Where a field of the first row lies: another thread that shares the memory may write to it there. */
  place(rows: Rows, name: string): number {
    return rows.at + this.field(rows.kind, name).at;
  }

  private get view(): DataView {
    if (this.seen.buffer !== this.memory.buffer) this.seen = new DataView(this.memory.buffer);
    return this.seen;
  }

  private read(kind: NumberKind, at: number): number | bigint {
    switch (kind) {
      case 'i8':
        return this.view.getInt8(at);
      case 'i16':
        return this.view.getInt16(at, true);
      case 'i32':
        return this.view.getInt32(at, true);
      case 'i64':
        return this.view.getBigInt64(at, true);
      case 'u64':
        return this.view.getBigUint64(at, true);
      case 'double':
        return this.view.getFloat64(at, true);
    }
  }

  private write(kind: NumberKind, at: number, value: number | bigint): void {
    switch (kind) {
      case 'i8':
        return this.view.setInt8(at, Number(value));
      case 'i16':
        return this.view.setInt16(at, Number(value), true);
      case 'i32':
        return this.view.setInt32(at, Number(value), true);
      case 'i64':
        return this.view.setBigInt64(at, BigInt(value), true);
      case 'u64':
        return this.view.setBigUint64(at, BigInt(value), true);
      case 'double':
        return this.view.setFloat64(at, Number(value), true);
    }
  }

  private layout(kind: string) {
    const found = this.about.structures[kind];
    if (!found) throw new Error(`${this.about.game} has no structure ${kind}`);
    return found;
  }

  private field(kind: string, name: string): Field {
    const found = this.layout(kind).fields[name];
    if (!found || !(found.kind in SIZES)) throw new Error(`${kind} has no numbers called ${name}`);
    return found;
  }
}

/** An argument as WebAssembly takes it. */
function lowered(name: string, wanted: Parameter, given: Given): (number | bigint)[] {
  if (typeof given === 'object') {
    const fits = given.kind === wanted.kind && (wanted.dimensions || 1) === given.lengths.length;
    if (!fits) throw new Error(`${name} takes other rows as ${wanted.name}`);
    return wanted.dimensions ? [given.at, ...given.lengths] : [given.at];
  }
  if (wanted.dimensions || !['i64', 'u64', 'i1', 'double'].includes(wanted.kind)) {
    throw new Error(`${name} takes rows as ${wanted.name}`);
  }
  return [wanted.kind.endsWith('64') ? BigInt(given) : Number(given)];
}
