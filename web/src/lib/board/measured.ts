// How large a drawing is drawn: `--unit`, the units of its viewBox in a pixel of the screen. With it a name or a number in
// a drawing is never smaller than 12 px, however small the screen is (board.css: `.board-legible`).
//
//   <svg {@attach measured} viewBox="0 0 1000 800"> … font-size: max(28px, calc(12px * var(--unit, 1)))

export function measured(svg: SVGSVGElement): () => void {
  const look = () => {
    const matrix = svg.getScreenCTM?.();
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 0;
    if (scale) svg.style.setProperty('--unit', (1 / scale).toFixed(3));
  };
  const sized = new ResizeObserver(look);
  sized.observe(svg);
  const moved = new MutationObserver(look);
  moved.observe(svg, { attributes: true, attributeFilter: ['viewBox'] });
  look();
  return () => {
    sized.disconnect();
    moved.disconnect();
  };
}
