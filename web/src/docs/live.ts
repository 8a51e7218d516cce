// The live boards of the site (tools/documents/): each figure of a page gets the board of its game, which draws what the
// rules said when the site was built.
import { mount } from 'svelte';
import { after } from '$lib/match/changes';
import LiveBoard, { type Example } from '$lib/ui/LiveBoard.svelte';
import { accentOf } from '$lib/pages';
import { dark, settings } from '$lib/settings.svelte';
import { speak } from '$lib/words/language.svelte';
import './live.css';

const page = document.documentElement;
speak(page.lang === 'fr' ? 'fr' : 'en');

// the site's own switch between day and night
new MutationObserver(() => (settings.theme = page.dataset.theme === 'dark' ? 'dark' : 'light')).observe(page, {
  attributeFilter: ['data-theme'],
});
settings.theme = page.dataset.theme === 'dark' ? 'dark' : 'light';

/** Whoever does not scroll there does not wait for it. */
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      draw(target as HTMLElement);
    }
  },
  { rootMargin: '50%' },
);
for (const target of document.querySelectorAll<HTMLElement>('figure[data-board]')) near.observe(target);

/** Each picture says what is otherwise than in the one before it (tools/documents/boards.py). */
function whole(said: Example): Example {
  let shown: Record<string, unknown> = {};
  const frames = said.frames.map((frame) => ({ ...frame, shown: (shown = after(shown, frame.shown as typeof shown)) }));
  return { ...said, frames };
}

function draw(target: HTMLElement): void {
  const { game, board } = target.dataset;
  const caption = target.textContent.trim();
  const load = async (): Promise<Example | undefined> => {
    const found = await fetch(`${page.dataset.root}boards/${board}.json`);
    return found.ok ? whole((await found.json()) as Example) : undefined;
  };
  target.replaceChildren();
  target.style.setProperty('--accent', accentOf(game!, dark()));
  mount(LiveBoard, { target, props: { game: game!, load, caption } });
}
