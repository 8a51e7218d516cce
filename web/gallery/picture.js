// A drawing of the page as an SVG file that stands alone: `picture(svg)` copies it, keeps what is seen, and writes the
// computed styles as a few classes. For tools/diagrams.py, which runs it in the page.

function picture(svg) {
  const LOOKS = {
    fill: 'rgb(0, 0, 0)',
    'fill-opacity': '1',
    'fill-rule': 'nonzero',
    stroke: 'none',
    'stroke-width': '1px',
    'stroke-opacity': '1',
    'stroke-linejoin': 'miter',
    'stroke-linecap': 'butt',
    'stroke-dasharray': 'none',
    'paint-order': 'normal',
    'text-anchor': 'start',
    'dominant-baseline': 'auto',
    'font-size': '',
    'font-weight': '',
    'font-family': '',
  };
  const INHERITED = new Set(Object.keys(LOOKS));
  const KEPT =
    /^(d|x|y|x1|y1|x2|y2|cx|cy|r|rx|ry|width|height|points|transform|viewBox|id|href|offset|patternUnits|patternTransform|preserveAspectRatio|gradientUnits|gradientTransform)$/;
  const classes = new Map();
  const styleOf = (node, above) => {
    const look = getComputedStyle(node);
    const said = {};
    for (const name of INHERITED) {
      if (name.startsWith('font') && node.tagName !== 'text' && node.tagName !== 'tspan') continue;
      const value =
        name === 'font-family'
          ? look.getPropertyValue(name).includes('Fraunces')
            ? 'serif'
            : 'sans-serif'
          : look.getPropertyValue(name);
      if (value !== (above[name] ?? LOOKS[name])) said[name] = value;
    }
    return [said, look];
  };
  const copied = (node, above) => {
    if (node.nodeType === 3) return node.textContent.trim() ? document.createTextNode(node.textContent) : null;
    if (node.nodeType !== 1) return null;
    const [said, look] = styleOf(node, above);
    const inDefs = node.closest('defs, pattern, symbol, clipPath, mask');
    if (!inDefs && (look.display === 'none' || look.visibility === 'hidden' || look.opacity === '0')) return null;
    const copy = document.createElementNS('http://www.w3.org/2000/svg', node.tagName);
    for (const { name, value } of node.attributes)
      if (KEPT.test(name))
        copy.setAttribute(
          name,
          value.replace(/-?\d+\.\d{2,}/g, (n) => String(+(+n).toFixed(1))),
        );
    const inherited = { ...above, ...said };
    const alone = { ...said };
    if (look.opacity !== '1') alone.opacity = look.opacity;
    if (node.tagName === 'stop') alone['stop-color'] = look.stopColor;
    if (node.tagName !== 'svg' && look.transform !== 'none' && !node.hasAttribute('transform')) {
      const { a, b, c, d, e, f } = new DOMMatrix(look.transform);
      copy.setAttribute('transform', `matrix(${[a, b, c, d, e, f].map((n) => +n.toFixed(3)).join(' ')})`);
    }
    for (const child of node.childNodes) {
      const one = copied(child, inherited);
      if (one) copy.append(one);
    }
    if (node.tagName === 'g' && !copy.childNodes.length) return null;
    const unseen =
      (look.fill === 'none' || look.fillOpacity === '0' || look.fill === 'rgba(0, 0, 0, 0)') && look.stroke === 'none';
    if (unseen && /^(rect|polygon|path|circle)$/.test(node.tagName) && !inDefs) return null;
    const text = Object.entries(alone)
      .map(
        ([name, value]) =>
          `${name}:${value.replace(/url\("#(.*?)"\)/, 'url(#$1)').replace(
            /rgb\((\d+), (\d+), (\d+)\)/,
            (_, ...c) =>
              '#' +
              c
                .slice(0, 3)
                .map((n) => (+n).toString(16).padStart(2, '0'))
                .join(''),
          )}`,
      )
      .join(';');
    if (text) {
      if (!classes.has(text)) classes.set(text, `s${classes.size.toString(36)}`);
      copy.setAttribute('class', classes.get(text));
    }
    if (node.tagName === 'g' && !copy.attributes.length) {
      const inside = document.createDocumentFragment();
      inside.append(...copy.childNodes);
      return inside;
    }
    return copy;
  };
  const sheets = [...svg.parentElement.children].filter(({ tagName }) => tagName === 'svg'); // one above the other
  const [copy, ...above] = sheets.map((sheet) => copied(sheet, {}));
  for (const sheet of above) copy.append(...sheet.childNodes);
  once(copy);
  const box = svg.viewBox.baseVal;
  copy.setAttribute('viewBox', [box.x, box.y, box.width, box.height].map(Math.round).join(' '));
  copy.setAttribute('width', '640');
  copy.removeAttribute('height');
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = [...classes].map(([text, name]) => `.${name}{${text}}`).join('\n');
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy) + '\n';
}

/** What is drawn several times is written once. */
function once(copy) {
  const seen = new Map();
  for (const group of copy.querySelectorAll('g')) {
    const drawn = group.innerHTML;
    if (drawn.length > 200) seen.set(drawn, (seen.get(drawn) ?? 0) + 1);
  }
  const defs = document.createElementNS(copy.namespaceURI, 'defs');
  const names = new Map();
  for (const group of copy.querySelectorAll('g')) {
    const drawn = group.innerHTML;
    if (!copy.contains(group) || group.closest('defs') || !(seen.get(drawn) > 1)) continue;
    if (!names.has(drawn)) {
      names.set(drawn, `o${names.size}`);
      const kept = document.createElementNS(copy.namespaceURI, 'g');
      kept.id = names.get(drawn);
      kept.append(...[...group.childNodes].map((child) => child.cloneNode(true)));
      defs.append(kept);
    }
    const use = document.createElementNS(copy.namespaceURI, 'use');
    use.setAttribute('href', `#${names.get(drawn)}`);
    group.replaceChildren(use);
  }
  if (names.size) copy.prepend(defs);
}
