import { beforeEach, expect, test } from 'vitest';
import script from './sw.js?raw';

const SCOPE = 'https://somewhere/play/';
const ALL = ['index.html', 'main.js', 'python/quincunx.zip'];
const HEAD = (version: string) =>
  `const VERSION = '${version}'; const SHELL = ${JSON.stringify(ALL.slice(0, 2))}; const ALL = ${JSON.stringify(ALL)};\n`;

interface Asked {
  url: string;
  cache?: string;
}

/** What browsers keep, and how each file was asked for. */
let shelves: Map<string, Asked[]>;

class FakeRequest implements Asked {
  cache: string | undefined;
  constructor(
    readonly url: string,
    how: { cache?: string } = {},
  ) {
    this.cache = how.cache;
  }
}

const caches = {
  open: async (name: string) => {
    const shelf = shelves.get(name) ?? [];
    shelves.set(name, shelf);
    return {
      keys: async () => shelf,
      add: async (asked: Asked | string) => void shelf.push(typeof asked === 'string' ? { url: asked } : asked),
    };
  },
  keys: async () => [...shelves.keys()],
  delete: async (name: string) => shelves.delete(name),
};

/** A version of the site comes to a browser; `plays`: somebody plays there then. */
async function comes(version: string, plays = false): Promise<void> {
  const told: Record<string, (event: object) => void> = {};
  const self = {
    registration: { scope: SCOPE },
    clients: { claim: async () => {} },
    addEventListener: (kind: string, hear: (event: object) => void) => (told[kind] = hear),
  };
  new Function('self', 'caches', 'Request', HEAD(version) + script)(self, caches, FakeRequest);
  const waits = async (kind: string, event: object = {}) => {
    let done: Promise<unknown> = Promise.resolve();
    told[kind]!({ ...event, waitUntil: (work: Promise<unknown>) => (done = work) });
    await done;
  };
  await waits('install');
  await waits('activate');
  if (plays) await waits('message', { data: 'all', ports: [] });
}

const kept = (version: string) => shelves.get(`quincunx ${version}`)?.map(({ url }) => url.slice(SCOPE.length));

beforeEach(() => (shelves = new Map()));

test('who only looks keeps the shell, who plays keeps everything', async () => {
  await comes('1');
  expect(kept('1')).toEqual(ALL.slice(0, 2));
  await comes('1', true);
  expect(kept('1')).toEqual(ALL);
});

test('what a browser has of an older version is never taken for the new one', async () => {
  await comes('1', true);
  expect(shelves.get('quincunx 1')!.every(({ cache }) => cache === 'reload')).toBe(true);
});

test('who could play without a network still can after the site has changed', async () => {
  await comes('1', true);
  await comes('2');
  expect(kept('1')).toBeUndefined();
  expect(kept('2')).toEqual(ALL);
});

test('the next version of the shell is the shell', async () => {
  await comes('1');
  await comes('2');
  expect(kept('2')).toEqual(ALL.slice(0, 2));
});
