// The worker that holds the matches: Python in the browser, with the sources of the games, their notation and stories, the
// referee and what the server sends to pages (quincunx/offline/). It comes from this site's own folder python/ and from
// nowhere else.

import type { FromHouse, Job, ToHouse } from './talk';

interface Python {
  FS: { writeFile: (path: string, data: Uint8Array) => void };
  unpackArchive: (data: ArrayBuffer, kind: string, how?: { extractDir: string }) => void;
  pyimport: (name: string) => { Page: new (...given: unknown[]) => unknown } & Record<string, (...given: unknown[]) => never>;
}
interface Page {
  ask: (method: string, path: string, query: string, body: string) => Promise<{ toJs: () => [number, string] }>;
  sit: (line: number, id: string) => boolean;
  hear: (line: number, text: string) => void;
  leave: (line: number) => void;
  learn: (id: string, text?: string) => void;
}

const say = (word: FromHouse) => postMessage(word);
const thoughts = new Map<number, (thought: object) => void>();
let thought = 0;

async function bytes(url: URL): Promise<ArrayBuffer> {
  const found = await fetch(url);
  if (!found.ok) throw new Error(`${url.pathname}: ${found.status}`);
  return found.arrayBuffer();
}

function think(text: string): Promise<object> {
  const [n, job] = [++thought, JSON.parse(text) as Job];
  return new Promise((done) => {
    thoughts.set(n, done);
    say({ kind: 'think', n, job });
  });
}

async function open(kept: Record<string, string>): Promise<Page> {
  const folder = new URL('../python/', import.meta.url);
  const packed = ['msgspec.zip', 'quincunx.zip'].map((name) => bytes(new URL(name, folder)));
  const { loadPyodide } = (await import(/* @vite-ignore */ new URL('pyodide.mjs', folder).href)) as {
    loadPyodide: (how: object) => Promise<Python>;
  };
  const python = await loadPyodide({ indexURL: folder.href });
  for (const each of packed) python.unpackArchive(await each, 'zip', { extractDir: '/lib/quincunx' });
  (python.pyimport('sys') as unknown as { path: { append: (path: string) => void } }).path.append('/lib/quincunx');
  const { begin } = python.pyimport('quincunx.offline.page');
  const keep = (id: string, text: string) => say({ kind: 'keep', id, text });
  const told = (line: number, text: string) => say({ kind: 'heard', line, text });
  return begin!(JSON.stringify(kept), think, keep, told) as Page;
}

let page: Promise<Page>;

async function answer(word: ToHouse): Promise<void> {
  if (word.kind === 'begin') {
    page = open(word.kept);
    await page;
    return;
  }
  const house = await page;
  if (word.kind === 'ask') {
    const { n, method, path, query, body } = word;
    const failed = (error: unknown): [number, string] => (console.error(error), [500, '{}']);
    const [status, text] = await house.ask(method, path, query, body).then((found) => found.toJs(), failed);
    say({ kind: 'answer', n, status, text });
  } else if (word.kind === 'sit') say({ kind: 'sat', line: word.line, well: house.sit(word.line, word.id) });
  else if (word.kind === 'say') house.hear(word.line, word.text);
  else if (word.kind === 'leave') house.leave(word.line);
  else if (word.kind === 'learn') house.learn(word.id, word.text ?? undefined);
  else {
    thoughts.get(word.n)?.({ action: word.action, chance: word.chance ?? undefined });
    thoughts.delete(word.n);
  }
}

onmessage = ({ data }: MessageEvent<ToHouse>) => {
  answer(data).catch((error) => say({ kind: 'failed', why: String(error) }));
};
