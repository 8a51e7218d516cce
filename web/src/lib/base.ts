// Where the site lies: at the root, or below a path of a larger one. The server writes it into the first page. A site that
// no server knows has its addresses behind a `#`, which any host serves.

/** Without a slash at its end; nothing at the root. */
export const BASE = (globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base"]')?.content ?? '/').replace(
  /\/$/,
  '',
);

/** Are addresses behind the `#`? */
export const HASHED = BASE === '#';

/** Where requests go. */
export const SITE = HASHED ? '' : BASE;

/** The address of something on this site: `at('/match/ABCDEF')`. */
export function at(path: string): string {
  return BASE + path;
}

/** Pure: what an address means on the site itself; one that is not on it stays what it is. */
export function within(path: string, base: string = BASE): string {
  return base && (path === base || path.startsWith(`${base}/`)) ? path.slice(base.length) || '/' : path;
}
