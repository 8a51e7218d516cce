// A list that is longer than its place shows it: its edge fades where there is more (`.edged` in theme.css).
//
//   <div class="edged" {@attach edges}> … </div>

export function edges(node: HTMLElement): () => void {
  const look = () => {
    node.toggleAttribute('data-above', node.scrollTop > 1);
    node.toggleAttribute('data-below', node.scrollTop + node.clientHeight < node.scrollHeight - 1);
  };
  const sized = new ResizeObserver(look);
  const watch = () => {
    sized.disconnect();
    for (const each of [node, ...node.children]) sized.observe(each);
    look();
  };
  const changed = new MutationObserver(watch);
  changed.observe(node, { childList: true });
  node.addEventListener('scroll', look, { passive: true });
  watch();
  return () => {
    sized.disconnect();
    changed.disconnect();
    node.removeEventListener('scroll', look);
  };
}
