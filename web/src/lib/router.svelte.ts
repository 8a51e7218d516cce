// The addresses of the pages, and how one gets from one to another without loading anew.
import { BASE, HASHED, at, within } from '$lib/base';

export type Route =
  | { page: 'home' }
  | { page: 'new'; game: string }
  | { page: 'join' }
  | { page: 'match'; id: string }
  | { page: 'replay'; id: string }
  | { page: 'studies' }
  | { page: 'study'; from: 'kept' | 'match' | 'game'; id: string }
  | { page: 'editor'; game: string; setup: string | null }
  | { page: 'records' }
  | { page: 'rules'; game: string }
  | { page: 'learn'; game: string }
  | { page: 'lesson'; game: string; lesson: string }
  | { page: 'puzzles' }
  | { page: 'puzzle'; game: string; first: string | null }
  | { page: 'contests' }
  | { page: 'contest'; id: string; projector: boolean }
  | { page: 'played'; contest: string; pairing: number; number: number }
  | { page: 'classroom' }
  | { page: 'class' }
  | { page: 'me' }
  | { page: 'lobby' }
  | { page: 'watch' }
  | { page: 'nowhere' };

/** Pure: which page an address means. */
export function parse(path: string): Route {
  const [page = '', first, second, ...more] = path.split('/').filter(Boolean).map(decoded);
  if (more.length) return { page: 'nowhere' };
  if (page === '') return { page: 'home' };
  if (isAlone(page) && first === undefined) return { page };
  if (page === 'editor' && first) return { page, game: first, setup: second ?? null };
  if (page === 'study') {
    if (first === undefined) return { page: 'studies' };
    if (second === undefined) return { page, from: 'kept', id: first };
    if (first === 'match' || first === 'game') return { page, from: first, id: second };
  }
  if (page === 'contest' && first && (second === undefined || second === 'projector'))
    return { page, id: first, projector: second === 'projector' };
  const played = page === 'contest' && /^(\d+)-(\d+)$/.exec(second ?? ''); // as reports link a match
  if (first && played) return { page: 'played', contest: first, pairing: Number(played[1]), number: Number(played[2]) };
  if (page === 'puzzles' && first) return { page: 'puzzle', game: first, first: second ?? null };
  if (page === 'learn' && first && second) return { page: 'lesson', game: first, lesson: second };
  if (first === undefined || second !== undefined) return { page: 'nowhere' };
  if (page === 'match' || page === 'replay') return { page, id: first };
  if (page === 'new' || page === 'rules' || page === 'learn') return { page, game: first };
  return { page: 'nowhere' };
}

const ALONE = ['join', 'records', 'puzzles', 'contests', 'classroom', 'class', 'me', 'lobby', 'watch'] as const; // nothing follows them

function isAlone(page: string): page is (typeof ALONE)[number] {
  return (ALONE as readonly string[]).includes(page);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** After a change of page the keyboard and the screen reader begin at its heading, which may take a while to come;
 * whoever moved on meanwhile is left alone. Returns how to stop waiting. */
export function focusHeading(content: HTMLElement): () => void {
  const give = () => {
    const heading = content.querySelector<HTMLElement>('h1');
    if (!heading) return false;
    const at = document.activeElement;
    heading.tabIndex = -1;
    if (at === content || at === document.body) heading.focus({ preventScroll: true });
    return true;
  };
  content.focus({ preventScroll: true });
  if (give()) return () => {};
  const waiting = new MutationObserver(() => give() && waiting.disconnect());
  waiting.observe(content, { childList: true, subtree: true });
  return () => waiting.disconnect();
}

let address = $state(current());
let here = $state.raw(parse(within(current())));

function current(): string {
  if (HASHED) return /^#(\/[^#?]*)/.exec(globalThis.location?.hash ?? '')?.[1] ?? '/';
  return globalThis.location?.pathname ?? '/';
}

export function route(): Route {
  return here;
}

/** Changes with every navigation: a page that is left and come back to is a new one. */
export function path(): string {
  return address;
}

/** To a page of the site: `go('/match/ABCDEF')`. */
export function go(to: string, how: { replace?: boolean } = {}): void {
  history[how.replace ? 'replaceState' : 'pushState'](null, '', at(to));
  arrive();
  if (!how.replace) scrollTo(0, 0);
}

function arrive(): void {
  if (HASHED && location.hash && !location.hash.startsWith('#/')) return; // a place on this page
  address = current();
  here = parse(within(address));
}

/** Links inside the site become navigation; all others stay what they are. */
export function listen(): () => void {
  const click = (event: MouseEvent) => {
    const link = (event.target as Element | null)?.closest('a');
    if (HASHED) return; // the browser goes there, and says so
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (BASE && within(link.pathname) === link.pathname) return; // the larger site's
    const to = within(link.pathname);
    if (['/api/', '/schema', '/docs/'].some((outside) => to.startsWith(outside))) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(to + link.search + link.hash);
  };
  document.addEventListener('click', click);
  addEventListener('popstate', arrive);
  return () => {
    document.removeEventListener('click', click);
    removeEventListener('popstate', arrive);
  };
}
