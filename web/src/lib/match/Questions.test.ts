import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import type { MatchOnScreen } from './match.svelte';
import Questions from './Questions.svelte';

let shown: ReturnType<typeof mount> | null = null;
function show(yours: number[], now: object): string {
  if (shown) void unmount(shown);
  const match = { now: { outcome: null, draw_offers: [], ...now }, yours, refusal: null } as unknown as MatchOnScreen;
  shown = mount(Questions, { target: document.body, props: { match, names: ['Ada', 'Level 2'] } });
  flushSync();
  return document.body.textContent!.trim();
}
afterEach(() => {
  if (shown) void unmount(shown);
  shown = null;
});

test('who offered a draw is told that it was refused, and who refused it is not', () => {
  expect(show([0], { draw_declined: 1 })).toMatch(/Level 2 (refuse la nulle|declines the draw)\./);
  expect(show([1], { draw_declined: 1 })).toBe('');
  expect(show([0], { draw_declined: 1, outcome: { reason: 'played' } })).toBe('');
});

test('who asked to take a move back is told that it was refused, and who refused it is not', () => {
  expect(show([0], { take_back_declined: 1 })).toMatch(/^Level 2 (ne veut pas|does not let)/);
  expect(show([1], { take_back_declined: 1 })).toBe('');
  expect(show([0], { take_back_declined: 1, outcome: { reason: 'played' } })).toBe('');
});

test('who is offered a draw may take it or refuse it, and who offered it reads that it is on its way', () => {
  expect(show([1], { draw_offers: [0] })).toMatch(/^Ada /);
  expect(document.querySelectorAll('button').length).toBe(2);
  expect(show([0], { draw_offers: [0] })).toMatch(/^(Vous avez|You have)/);
  expect(document.querySelectorAll('button').length).toBe(0);
});
