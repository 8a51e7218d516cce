// jsdom has no media queries: nothing is preferred.
globalThis.matchMedia ??= ((media: string) => ({
  matches: false,
  media,
  addEventListener() {},
  removeEventListener() {},
})) as never;
// Nor has it a layout: nothing has a size, a place on the screen, or anything to scroll or to animate.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
} as never;
Element.prototype.scrollTo ??= () => {};
(SVGElement.prototype as SVGGraphicsElement).getScreenCTM ??= () => null;
Element.prototype.animate ??= () => ({ cancel() {}, finished: Promise.resolve() }) as never;
