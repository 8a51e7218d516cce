// Which part of a map of squares is in sight: the camera over it, turned round or not, and how large a square is on the
// screen. Cells are called by column and row, "4,7"; each is 100 units wide.

import { Camera } from './camera.svelte';

const CELL = 100;
export const MARGIN = 70; // around the map, for the names of rows and columns
const SMALL = 19; // pixels of a cell: below, a large map begins near the cursor

interface Given {
  /** Cells. */
  width: number;
  height: number;
  flipped: boolean;
  mini: boolean;
}

/** The middle of a cell on the map. */
export function centre(cell: string): { x: number; y: number } {
  const [x, y] = cell.split(',').map(Number) as [number, number];
  return { x: (x + 0.5) * CELL, y: (y + 0.5) * CELL };
}

export class MapView {
  camera: Camera;
  #pixels = $state(0); // of the map’s width on the screen

  constructor(
    private given: () => Given,
    pans: (event: PointerEvent) => boolean,
  ) {
    const whole = () => ({ width: this.#right + MARGIN, height: this.#bottom + MARGIN });
    this.camera = new Camera(whole, { nearest: 6 * CELL, pans });
  }

  get #right(): number {
    return MARGIN + this.given().width * CELL;
  }

  get #bottom(): number {
    return MARGIN + this.given().height * CELL;
  }

  /** Units of the drawing in a pixel of the screen. */
  get grain(): number {
    return this.given().mini || !this.#pixels ? 1 : this.camera.width / this.#pixels;
  }

  get viewBox(): string {
    const { mini, width, height } = this.given();
    return mini ? `${MARGIN - 20} ${MARGIN - 20} ${width * CELL + 40} ${height * CELL + 40}` : this.camera.viewBox;
  }

  /** What is in sight, in units of the map. */
  get box(): { x: number; y: number; width: number; height: number } {
    const { x, y, width, height } = this.camera;
    if (!this.given().flipped) return { x: x - MARGIN, y: y - MARGIN, width, height };
    return { x: this.#right - x - width, y: this.#bottom - y - height, width, height };
  }

  /** Of everything that turns round with the map. */
  get turn(): string {
    if (!this.given().flipped) return `translate(${MARGIN} ${MARGIN})`;
    return `translate(${this.#right} ${this.#bottom}) rotate(180)`;
  }

  reveal(cell: string): void {
    if (this.camera.zoomed) this.camera.reveal(...this.#at(cell), Math.min(4 * CELL, this.camera.width / 3));
  }

  /** Follows the size of the drawing; on a small screen a large map begins near a cell. */
  watch(field: Element, near: () => string): () => void {
    let placed = false;
    const sized = new ResizeObserver(() => {
      const box = field.getBoundingClientRect();
      const { width, height } = this.given();
      this.#pixels = box.width;
      if (!box.width || placed) return;
      placed = true;
      if (Math.min(box.width / width, box.height / height) >= SMALL) return;
      this.camera.zoom((Math.max(8, Math.min(box.width, 900) / 40) * CELL) / this.camera.width);
      this.camera.centre(...this.#at(near()));
    });
    sized.observe(field);
    return () => sized.disconnect();
  }

  /** Where the camera finds a cell. */
  #at(cell: string): [number, number] {
    const { x, y } = centre(cell);
    return this.given().flipped ? [this.#right - x, this.#bottom - y] : [MARGIN + x, MARGIN + y];
  }
}
