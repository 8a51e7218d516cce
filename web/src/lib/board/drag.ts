// Dragging over a drawing, as an attachment of the SVG element whose coordinates it speaks: `{@attach drags({…})}`.
// Pointers are heard there and not on the pieces, so that a drag may leave them. A press that does not move stays a
// click;
// the click that ends a drag is swallowed.

import type { Attachment } from 'svelte/attachments';

export interface Spot {
  x: number;
  y: number;
}

export interface Drag<What> {
  /** What is lifted there, or null. */
  from: (point: Spot) => What | null;
  over: (what: What, point: Spot) => void;
  /** It was let go there; null if the browser took the pointer away. */
  drop: (what: What, point: Spot | null) => void;
}

const FAR = 8; // pixels that make a drag of a press

export function drags<What>({ from, over, drop }: Drag<What>): Attachment<SVGGraphicsElement> {
  return (node) => {
    let press: { what: What; x: number; y: number } | null = null;
    let moving = false;

    const point = (event: PointerEvent): Spot =>
      new DOMPoint(event.clientX, event.clientY).matrixTransform(node.getScreenCTM()!.inverse());
    const end = (at: Spot | null) => {
      const what = press?.what;
      press = null;
      if (moving) drop(what!, at);
    };
    const heard: Record<string, (event: PointerEvent) => void> = {
      pointerdown(event) {
        moving = false;
        const what = event.button === 0 ? from(point(event)) : null;
        press = what === null ? null : { what, x: event.clientX, y: event.clientY };
      },
      pointermove(event) {
        if (!press || (!moving && Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR)) return;
        if (!moving) node.setPointerCapture(event.pointerId);
        moving = true;
        over(press.what, point(event));
      },
      pointerup: (event) => end(point(event)),
      pointercancel: () => end(null),
    };
    const click = (event: Event) => {
      if (moving) event.stopPropagation();
      moving = false;
    };
    // touch-action alone does not keep every browser from scrolling when the finger is on a shape
    const hold = (event: Event) => press && event.cancelable && event.preventDefault();
    const gone = new AbortController();
    for (const [kind, hear] of Object.entries(heard))
      node.addEventListener(kind, hear as EventListener, { signal: gone.signal });
    node.addEventListener('click', click, { capture: true, signal: gone.signal });
    node.addEventListener('touchmove', hold, { passive: false, signal: gone.signal });
    return () => gone.abort();
  };
}
