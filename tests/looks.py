"""What a screen looks like, measured in the browser: text that is too small, what is cut off without a sign of it."""

from __future__ import annotations

from playwright.sync_api import Page

SMALLEST = (
    12  # pixels; not in miniatures and rules' boards: they are pictures, named as a whole, and what is written in
)
# them (coordinates, numbers) is a board's at its full size; what one is to read there stands in the caption
SIGHT = """(smallest) => {
  const wrong = new Set();
  const name = (node) => `${node.localName}.${node.getAttribute('class') ?? ''}`.replace(/ ?svelte-\\w+/g, '');
  const pictures = '.unseen, [hidden], .mini, [role=img]';
  const unseen = (node) => !!node.closest(pictures) || !node.checkVisibility({ visibilityProperty: true });

  // text, and how large it is drawn
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || !node || unseen(node) || node.closest('script, style, option, title')) continue;
    const drawn = node.ownerSVGElement ? node.getScreenCTM() : null;
    const size = parseFloat(getComputedStyle(node).fontSize) * (drawn ? Math.hypot(drawn.a, drawn.b) : 1);
    if (size < smallest - 0.1) wrong.add(`${size.toFixed(1)} px: ${name(node)} "${text.data.trim().slice(0, 20)}"`);
  }

  // the panel: what does not fit scrolls, with an edge that shows it
  const panel = document.querySelector('aside.panel');
  const box = panel?.getBoundingClientRect();
  const flows = (style) => style.overflowY === 'auto' && style.display !== 'contents';
  const scrolls = (node) => flows(getComputedStyle(node));
  for (const node of panel?.querySelectorAll('*') ?? []) {
    const style = getComputedStyle(node);
    if (unseen(node) || node.ownerSVGElement || ['contents', 'inline'].includes(style.display)) continue;
    const [over, across] = [node.scrollHeight - node.clientHeight, node.scrollWidth - node.clientWidth];
    const shown = node.matches('.edged[data-above], .edged[data-below]');
    if (style.overflowY !== 'visible' && over > 2 && !shown) wrong.add(`${over} px are cut off: ${name(node)}`);
    if (style.overflowX !== 'visible' && across > 2 && style.textOverflow !== 'ellipsis' && node.localName !== 'input')
      wrong.add(`${across} px are cut off at the side: ${name(node)}`);
    const at = node.getBoundingClientRect();
    let inside = false;
    for (let up = node.parentElement; up && up !== panel; up = up.parentElement)
      inside ||= scrolls(up) || getComputedStyle(up).position === 'fixed';
    if (at.height && style.position !== 'fixed' && !inside && (at.bottom > box.bottom + 1 || at.right > box.right + 1))
      wrong.add(`it sticks out of the panel: ${name(node)}`);
  }

  const beyond = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (beyond > 1) wrong.add(`${beyond} px stick out`);
  return [...wrong];
}"""
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def faults(page: Page) -> list[str]:
    """What is wrong with the screen as it stands, in words."""
    page.evaluate(SETTLED)
    found: list[str] = page.evaluate(SIGHT, SMALLEST)
    return found
