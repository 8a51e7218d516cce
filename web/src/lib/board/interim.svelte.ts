// What a board draws instead of `shown` while a story is told. It belongs to the position that the story starts from:
// once the shell shows any other, it is over by itself. Nothing has to clear it, so nothing can clear the next one.

export class Interim<Drawn> {
  drawn = $state.raw<Drawn | null>(null);
  #from = $state.raw<unknown>(null);
  #over = false; // the shell went on: who comes back to that position finds it as it was

  /** A story starts from a position, which is what the shell shows until the story is told. */
  begin(from: unknown, drawn: Drawn): void {
    this.#over = false;
    this.#from = from;
    this.drawn = drawn;
  }

  /** Null when nothing is told of what is shown. */
  at(shown: unknown): Drawn | null {
    const { drawn } = this;
    if (this.#from !== shown) this.#over = true;
    return this.#over ? null : drawn;
  }
}
