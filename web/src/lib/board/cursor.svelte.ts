// The cursor of a described grid: arrows move it, one cell at a time has tabindex 0. A board marks its cells with
// `data-cell="column,row"` (as drawn: column 0 left, row 0 top), gives them `tabindex={cursor.tab(column, row)}` and
// passes keys on. Rows may have lengths of their own (hexagons): then up and down go to the nearest cell.

export class Cursor {
  column = $state(0);
  row = $state(0);

  /** `lengths`: how many cells each row has. `hexagonal`: rows are centred. */
  constructor(
    private lengths: () => readonly number[],
    private hexagonal = false,
    private turned: () => boolean = () => false,
  ) {}

  tab(column: number, row: number): 0 | -1 {
    return column === this.column && row === this.row ? 0 : -1;
  }

  at(column: number, row: number): boolean {
    return column === this.column && row === this.row;
  }

  put(column: number, row: number): void {
    const lengths = this.lengths();
    this.row = clamp(row, lengths.length - 1);
    this.column = clamp(column, (lengths[this.row] ?? 1) - 1);
  }

  /** Arrows, Home, End, Page up and down. True if the key was one of them; then the cell under it has the focus. */
  key(event: KeyboardEvent, root?: Element | null): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    const key = across(event.key, this.turned());
    const to = step(this.lengths(), { column: this.column, row: this.row }, key, this.hexagonal);
    if (!to) return false;
    this.put(to.column, to.row);
    event.preventDefault();
    this.focus(root ?? (event.currentTarget as Element | null));
    return true;
  }

  focus(root?: Element | null): void {
    root?.querySelector<HTMLElement | SVGElement>(`[data-cell="${this.column},${this.row}"]`)?.focus();
  }
}

const ACROSS: Record<string, string> = {
  ArrowUp: 'ArrowDown',
  ArrowDown: 'ArrowUp',
  ArrowLeft: 'ArrowRight',
  ArrowRight: 'ArrowLeft',
  Home: 'End',
  End: 'Home',
  PageUp: 'PageDown',
  PageDown: 'PageUp',
};

/** On a board that is turned round, keys go where they point on the screen. */
export function across(key: string, turned = true): string {
  return (turned && ACROSS[key]) || key;
}

export interface Place {
  column: number;
  row: number;
}

/** Where a key leads, or null if it leads nowhere. Pure, for tests and for boards with cursors of their own. */
export function step(lengths: readonly number[], from: Place, key: string, hexagonal = false): Place | null {
  const { column, row } = from;
  const last = (lengths[row] ?? 1) - 1;
  const down = (by: number): Place => {
    const to = clamp(row + by, lengths.length - 1);
    const shift = hexagonal ? ((lengths[to] ?? 0) - (lengths[row] ?? 0)) / 2 : 0;
    const nearest = by < 0 ? Math.ceil(column + shift) : Math.floor(column + shift);
    return { row: to, column: clamp(nearest, (lengths[to] ?? 1) - 1) };
  };
  switch (key) {
    case 'ArrowLeft':
      return { row, column: clamp(column - 1, last) };
    case 'ArrowRight':
      return { row, column: clamp(column + 1, last) };
    case 'ArrowUp':
      return down(-1);
    case 'ArrowDown':
      return down(1);
    case 'Home':
      return { row, column: 0 };
    case 'End':
      return { row, column: last };
    case 'PageUp':
      return down(-10);
    case 'PageDown':
      return down(10);
    default:
      return null;
  }
}

function clamp(value: number, high: number): number {
  return Math.max(0, Math.min(high, value));
}
