// Motion costs the browser no layout and no painting: only `transform` and `opacity` ever change over time.
import { expect, test } from 'vitest';

const files = import.meta.glob<string>(['/src/**/*.svelte', '/src/**/*.css'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const CHEAP = new Set(['transform', 'opacity', 'none', 'animation-timing-function']);

function styles(file: string, text: string): string {
  const all = file.endsWith('.css')
    ? [text]
    : [...text.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map((found) => found[1]!);
  return all.join('\n').replace(/\/\*[\s\S]*?\*\//g, '');
}

/** The properties that a style sheet lets change over time. */
export function moved(css: string): string[] {
  const plain = css.replace(/\((?:[^()]|\([^()]*\))*\)/g, ''); // calc(…), cubic-bezier(…): their commas separate nothing
  const transitions = [...plain.matchAll(/transition(?:-property)?:([^;}]+)/g)].flatMap((found) =>
    found[1]!.split(',').map((one) => one.trim().split(/\s+/)[0]!),
  );
  const frames = [...plain.matchAll(/@keyframes[^{]*\{((?:[^{}]*\{[^{}]*\})*)/g)].flatMap((found) =>
    [...found[1]!.matchAll(/[{;]\s*([\w-]+)\s*:/g)].map((one) => one[1]!),
  );
  return [...transitions, ...frames];
}

test('the law finds what it forbids', () => {
  expect(
    moved('a { transition: opacity 1s, width calc(1s * var(--pace, 2)) } @keyframes b { from { left: 0; top: 1px } }'),
  ).toEqual(['opacity', 'width', 'left', 'top']);
});

test.each(Object.entries(files).map(([file, text]) => [file, text]))('%s', (file, text) => {
  expect(moved(styles(file, text)).filter((property) => !CHEAP.has(property))).toEqual([]);
  const imported = [...text.matchAll(/import \{([^}]*)\} from 'svelte\/(?:transition|animate|motion)'/g)].map((found) =>
    found[1]!.trim(),
  );
  expect(imported.filter((name) => name !== 'fade' && name !== 'flip')).toEqual([]); // opacity; transform
  expect(text).not.toMatch(/<animate|\.animate\(/);
});
