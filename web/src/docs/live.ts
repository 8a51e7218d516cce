// The live boards of the site (tools/documents/): each figure of a page gets the board of its game, which draws what the
// rules said when the site was built.
import { mount } from 'svelte';
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

for (const target of document.querySelectorAll<HTMLElement>('figure[data-board]')) {
  const { game, board } = target.dataset;
  const caption = target.textContent.trim();
  const load = async (): Promise<Example | undefined> => {
    const found = await fetch(`${page.dataset.root}boards/${board}.json`);
    return found.ok ? ((await found.json()) as Example) : undefined;
  };
  target.replaceChildren();
  target.style.setProperty('--accent', accentOf(game!, dark()));
  mount(LiveBoard, { target, props: { game: game!, load, caption } });
}
