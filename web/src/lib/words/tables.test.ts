// Every table of words that is written out in a file: both languages have the same keys, and none is empty. (Tables
// that
// are computed have their keys compared by the compiler.)
import ts from 'typescript';
import { expect, test } from 'vitest';

const files = import.meta.glob<string>(['/src/**/*.svelte', '/src/**/*.ts', '!/src/**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

function scripts(file: string, text: string): string {
  return file.endsWith('.ts')
    ? text
    : [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((found) => found[1]).join('\n');
}

function tables(node: ts.Node, found: ts.ObjectLiteralExpression[] = []): ts.ObjectLiteralExpression[] {
  if (
    ts.isCallExpression(node) &&
    node.expression.getText() === 'table' &&
    node.arguments[0] &&
    ts.isObjectLiteralExpression(node.arguments[0])
  )
    found.push(node.arguments[0]);
  node.forEachChild((child) => void tables(child, found));
  return found;
}

function words(table: ts.ObjectLiteralExpression, language: string): Map<string, string> {
  const side = table.properties.find((each) => each.name?.getText() === language);
  if (!side || !ts.isPropertyAssignment(side) || !ts.isObjectLiteralExpression(side.initializer)) return new Map();
  return new Map(
    side.initializer.properties.map((each) => [
      each.name!.getText(),
      ts.isPropertyAssignment(each) ? each.initializer.getText() : 'f',
    ]),
  );
}

const all = Object.entries(files).flatMap(([file, text]) =>
  tables(ts.createSourceFile(file, scripts(file, text), ts.ScriptTarget.Latest, true))
    .filter((table) =>
      table.properties.every((side) => ts.isPropertyAssignment(side) && ts.isObjectLiteralExpression(side.initializer)),
    )
    .map((table) => ({ file, table })),
);

test('there are tables', () => expect(all.length).toBeGreaterThan(20));

test.each(all)('$file', ({ table }) => {
  const [fr, en] = [words(table, 'fr'), words(table, 'en')];
  expect([...fr.keys()].sort()).toEqual([...en.keys()].sort());
  expect(fr.size).toBeGreaterThan(0);
  for (const text of [...fr.values(), ...en.values()]) expect(text).not.toMatch(/^['"`]\s*['"`]$/);
});
