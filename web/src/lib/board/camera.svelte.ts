// Looking around on a map that is larger than the screen: drag or two fingers to move, wheel or pinch to come nearer.
//
//   const camera = new Camera(() => ({ width: 1600, height: 1600 }));
//   <svg {@attach camera.watch} viewBox={camera.viewBox}> …
//
// The drawing keeps its own coordinates; the camera is a viewBox. Clicks still arrive unless the pointer was dragged.

const SLOP = 6; // pixels that a click may wander

export class Camera {
  x = $state(0);
  y = $state(0);
  /** Units of the drawing across the view's width. */
  width = $state(0);
  private aspect = $state(1);
  private pointers = new Map<number, { x: number; y: number }>();
  private moved = 0;

  /** `whole`: the size of the drawing. `pans`: may this pointer drag the map? (A board that draws paths says no.) */
  constructor(
    private whole: () => { width: number; height: number },
    private options: { pans?: (event: PointerEvent) => boolean; nearest?: number } = {},
  ) {
    this.width = whole().width;
  }

  get viewBox(): string {
    return `${this.x} ${this.y} ${this.width} ${this.height}`;
  }

  get height(): number {
    return this.width * this.aspect;
  }

  get zoomed(): boolean {
    return this.width < this.widest - 1e-6;
  }

  private get widest(): number {
    const { width, height } = this.whole();
    return Math.max(width, height / this.aspect);
  }

  fit = (): void => {
    this.width = this.widest;
    this.hold();
  };

  /** Comes nearer (`factor` < 1) around a point of the drawing, the middle if none is named. */
  zoom = (factor: number, around?: { x: number; y: number }): void => {
    const to = Math.max(this.options.nearest ?? this.whole().width / 8, Math.min(this.widest, this.width * factor));
    const at = around ?? { x: this.x + this.width / 2, y: this.y + (this.width * this.aspect) / 2 };
    const ratio = to / this.width;
    this.x = at.x - (at.x - this.x) * ratio;
    this.y = at.y - (at.y - this.y) * ratio;
    this.width = to;
    this.hold();
  };

  /** Moves just far enough that a point is in view, `margin` units from the edge. */
  reveal(x: number, y: number, margin = 0): void {
    const height = this.width * this.aspect;
    this.x = Math.min(x - margin, Math.max(this.x, x + margin - this.width));
    this.y = Math.min(y - margin, Math.max(this.y, y + margin - height));
    this.hold();
  }

  /** Puts a point in the middle of the view, as far as the edges allow. */
  centre(x: number, y: number): void {
    this.x = x - this.width / 2;
    this.y = y - (this.width * this.aspect) / 2;
    this.hold();
  }

  /** The drawing was turned round: the same part of it stays in view. */
  across(): void {
    const { width, height } = this.whole();
    this.x = width - this.x - this.width;
    this.y = height - this.y - this.width * this.aspect;
    this.hold();
  }

  private hold(): void {
    const { width, height } = this.whole();
    this.x = within(this.x, this.width, width);
    this.y = within(this.y, this.width * this.aspect, height);
  }

  watch = (element: Element): (() => void) => {
    const sized = new ResizeObserver(() => {
      const box = element.getBoundingClientRect();
      const whole = !this.zoomed;
      if (box.width > 0) this.aspect = box.height / box.width;
      if (whole) this.fit();
      else this.hold();
    });
    sized.observe(element);
    const units = () => this.width / Math.max(1, element.getBoundingClientRect().width);
    const place = (event: { clientX: number; clientY: number }) => {
      const box = element.getBoundingClientRect();
      return { x: this.x + (event.clientX - box.left) * units(), y: this.y + (event.clientY - box.top) * units() };
    };
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY * 0.0015), place(event));
    };
    const down = (event: PointerEvent) => {
      if (this.options.pans && this.pointers.size === 0 && !this.options.pans(event)) return;
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this.pointers.size === 1) this.moved = 0;
    };
    const move = (event: PointerEvent) => {
      const was = this.pointers.get(event.pointerId);
      if (!was) return;
      const now = { x: event.clientX, y: event.clientY };
      if (this.pointers.size === 2) {
        const other = [...this.pointers].find(([id]) => id !== event.pointerId)![1];
        const span = (p: { x: number; y: number }) => Math.hypot(p.x - other.x, p.y - other.y);
        this.zoom(
          span(was) / Math.max(1, span(now)),
          place({ clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 }),
        );
        this.moved += SLOP;
      } else {
        this.moved += Math.hypot(now.x - was.x, now.y - was.y);
        if (this.moved > SLOP) {
          element.setPointerCapture(event.pointerId);
          this.x -= (now.x - was.x) * units();
          this.y -= (now.y - was.y) * units();
          this.hold();
        }
      }
      this.pointers.set(event.pointerId, now);
    };
    const up = (event: PointerEvent) => void this.pointers.delete(event.pointerId);
    const click = (event: Event) => {
      if (this.moved > SLOP) event.stopPropagation();
      this.moved = 0;
    };
    const heard: [string, EventListener, AddEventListenerOptions?][] = [
      ['wheel', wheel as EventListener, { passive: false }],
      ['pointerdown', down as EventListener],
      ['pointermove', move as EventListener],
      ['pointerup', up as EventListener],
      ['pointercancel', up as EventListener],
      ['click', click, { capture: true }],
    ];
    for (const [name, listener, how] of heard) element.addEventListener(name, listener, how);
    return () => {
      sized.disconnect();
      for (const [name, listener, how] of heard) element.removeEventListener(name, listener, how);
    };
  };
}

/** The start of a window that stays inside, or that centres what is smaller than it. */
function within(start: number, window: number, whole: number): number {
  return window >= whole ? (whole - window) / 2 : Math.max(0, Math.min(whole - window, start));
}
