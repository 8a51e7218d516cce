// Arrows and circles that a reader draws on a board: with the right button of the mouse, with a finger while the pencil is
// out, and with the key M on two cells, or twice on one. It knows no game: cells say their names.

import type { Arrow } from '$lib/board/contract';

const CELL = '[data-name], [data-square], [data-cell]';

export function cellOf(element: Element | null): string | null {
  const found = element?.closest<HTMLElement | SVGElement>(CELL)?.dataset;
  return found?.name ?? found?.square ?? found?.cell ?? null;
}

export const textOf = (from: string, to: string) => (from === to ? from : `${from} ${to}`);

export function arrowsOf(marks: readonly string[]): Arrow[] {
  return marks.map((mark) => {
    const [from = '', to] = mark.split(' ');
    return to === undefined ? { from, mine: true as const } : { from, to, mine: true as const };
  });
}

/** A mark that is being drawn, by what stands already: what was begun, and where it would end. */
export function begunAmong(marks: readonly string[], begun: Stroke | null): string[] {
  const mark = begun && textOf(begun.from, begun.to ?? begun.from);
  return mark === null || marks.includes(mark) ? [...marks] : [...marks, mark];
}

export interface Stroke {
  from: string;
  /** Where the finger or the mouse is now; null: not on a cell. */
  to: string | null;
}

/** For the element around a board. `pencil`: every stroke draws. `begun` tells of a mark that is not finished yet. */
export function drawing(pencil: () => boolean, draw: (mark: string) => void, begun: (stroke: Stroke | null) => void) {
  return (stage: HTMLElement): (() => void) => {
    let from: string | null = null;
    let first: string | null = null; // by the keyboard
    const caught = (event: Event) => (event.preventDefault(), event.stopPropagation());
    const under = ({ clientX, clientY }: PointerEvent) => cellOf(document.elementFromPoint(clientX, clientY));
    const down = (event: PointerEvent) => {
      if (event.button !== 2 && !(pencil() && event.button === 0)) return;
      caught(event);
      from = event.isPrimary ? cellOf(event.target as Element) : null; // a second finger takes the stroke back
      begun(from === null ? null : { from, to: from });
    };
    const move = (event: PointerEvent) => {
      if (from === null || !event.isPrimary) return;
      begun({ from, to: under(event) });
      caught(event);
    };
    const up = (event: PointerEvent) => {
      if (from === null || !event.isPrimary) return;
      const to = under(event);
      if (to !== null) draw(textOf(from, to));
      away();
      caught(event);
    };
    const away = () => {
      from = null;
      begun(null);
    };
    const click = (event: MouseEvent) => pencil() && cellOf(event.target as Element) !== null && caught(event);
    const menu = (event: Event) => cellOf(event.target as Element) !== null && event.preventDefault();
    const touch = (event: TouchEvent) => pencil() && event.cancelable && event.preventDefault();
    const key = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'm' || event.ctrlKey || event.metaKey || event.altKey) return;
      const cell = cellOf(event.target as Element);
      if (cell === null) return;
      caught(event);
      if (first !== null) draw(textOf(first, cell));
      first = first === null ? cell : null;
      begun(first === null ? null : { from: first, to: first });
    };
    const heard = [
      ['pointerdown', down],
      ['pointermove', move],
      ['pointerup', up],
      ['pointercancel', away],
      ['click', click],
      ['contextmenu', menu],
      ['touchmove', touch],
      ['keydown', key],
    ] as [string, EventListener][];
    for (const [name, does] of heard) stage.addEventListener(name, does, { capture: true, passive: false });
    return () => heard.forEach(([name, does]) => stage.removeEventListener(name, does, { capture: true }));
  };
}
