// Width over height of a drawing alone: of the map, where it has a size, or of the picture.

export function ratioOf(node: Element, shown: unknown): number | null {
  const { width, height } = (shown ?? {}) as { width?: number; height?: number };
  const box = node.querySelector('svg')?.viewBox?.baseVal;
  if (width && height) return width / height;
  return box?.height ? box.width / box.height : null;
}
