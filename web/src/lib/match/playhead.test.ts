import { expect, test } from 'vitest';
import { Playhead } from './playhead.svelte';

const settled = () => new Promise((done) => setTimeout(done));

/** A reel whose frames and stories arrive when the test says so. */
function reel(last = 20) {
  const done: string[] = [];
  let release: (() => void)[] = [];
  const later = (what: string) => new Promise<void>((go) => release.push(() => (done.push(what), go())));
  const playhead = new Playhead({
    last: () => last,
    need: (n) => later(`need ${n}`),
    tell: (n) => later(`tell ${n}`),
    skip: () => {},
  });
  const all = async () => {
    while (release.length) {
      const waiting = release;
      release = [];
      for (const go of waiting) go();
      await settled();
    }
  };
  const some = async () => (release.shift()?.(), await settled());
  return { playhead, done, all, some };
}

test('five presses are five moves, while frames are fetched and while a story is told', async () => {
  const { playhead, done, all, some } = reel();
  for (let n = 0; n < 5; n++) void playhead.forward();
  await all();
  expect([playhead.at, playhead.goal]).toEqual([5, 5]);
  expect(done.filter((what) => what.startsWith('tell'))).toEqual(['tell 5']); // the others are not waited for
  void playhead.forward();
  await some(); // fetched: the story of 6 is being told
  for (let n = 0; n < 5; n++) void playhead.forward();
  await all();
  expect(playhead.at).toBe(11);
});

test('back and forth cancel out, the ends hold, and a jump is told by nobody', async () => {
  const { playhead, done, all } = reel();
  void playhead.back();
  void playhead.forward();
  void playhead.forward();
  void playhead.back();
  await all();
  expect(playhead.at).toBe(1);
  void playhead.go(99);
  await all();
  expect([playhead.at, done.at(-1)]).toEqual([20, 'need 20']);
  void playhead.forward();
  void playhead.go(0);
  void playhead.forward();
  await all();
  expect([playhead.at, done.at(-1)]).toEqual([1, 'need 1']); // from afar: nobody saw what was before it
});

test('a frame that cannot be had leaves it where it is, ready to go on', async () => {
  let broken = true;
  const need = () => (broken ? Promise.reject(new Error('no')) : Promise.resolve());
  const playhead = new Playhead({ last: () => 5, need, tell: async () => {}, skip: () => {} });
  await expect(playhead.forward()).rejects.toThrow('no');
  expect([playhead.at, playhead.goal]).toEqual([0, 0]);
  broken = false;
  await playhead.forward();
  expect(playhead.at).toBe(1);
});
