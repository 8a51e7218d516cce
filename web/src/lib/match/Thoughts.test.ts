import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import { settings } from '$lib/settings.svelte';
import type { MatchOnScreen } from './match.svelte';
import Thoughts from './Thoughts.svelte';

let shown: ReturnType<typeof mount> | null = null;
function show(yours: number[]) {
  if (shown) unmount(shown);
  const now = { seats: [{ kind: 'computer' }, { kind: 'person' }], to_act: [0], outcome: null };
  const thinking = { 0: { seat: 0, depth: 7, nodes: 1200, value: 0.25, line: ['H2-G1', 'A8+'] } };
  const match = { now, thinking, yours } as unknown as MatchOnScreen;
  shown = mount(Thoughts, { target: document.body, props: { match, names: ['Level 8', 'Ada'] } });
  flushSync();
  return document.body;
}
afterEach(() => {
  if (shown) unmount(shown);
  shown = null;
  settings.thinking = false;
});

test('what a computer thinks is shown to who watches and asks for it, and to nobody else', () => {
  const page = show([]);
  expect(page.textContent).not.toContain('H2-G1');
  page.querySelector('input')!.click();
  flushSync();
  expect(settings.thinking).toBe(true);
  expect(page.textContent).toContain('H2-G1');
  expect(show([1]).querySelector('input')).toBeNull();
  expect(document.body.textContent).not.toContain('H2-G1');
});
