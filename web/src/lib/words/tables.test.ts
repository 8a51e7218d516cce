// Every table of words that is written out in a file: both languages have the same keys, and none is empty. (Tables
// that are computed have their keys compared by the compiler.) And French is set as French is: no-break spaces before
// : ; ! ? % and inside « », and ’ for an apostrophe.
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

/** The pieces of text below a node. */
function pieces(node: ts.Node, found: string[] = []): string[] {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
    found.push(node.text);
  node.forEachChild((child) => void pieces(child, found));
  return found;
}

function french(node: ts.Node, found: string[] = []): string[] {
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'fr') pieces(node.initializer, found);
  else node.forEachChild((child) => void french(child, found));
  return found;
}

/** What a component writes between its tags and into attributes, with X for all that is computed. */
function markup(text: string): string {
  let plain = text.replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, '');
  for (let before = ''; before !== plain; ) [before, plain] = [plain, plain.replace(/\{[^{}]*\}/g, 'X')];
  return plain;
}

test('no space stands before a colon in what is written for both languages', () => {
  const said = Object.entries(files).filter(([file]) => file.endsWith('.svelte'));
  expect(said.length).toBeGreaterThan(50);
  const wrong = said.flatMap(([file, text]) => (markup(text).match(/X\s[:;!?»%]|«\s/g) ?? []).map((found) => [file, found]));
  expect(wrong).toEqual([]);
});

test('French has its spaces and apostrophes', () => {
  const said = Object.entries(files).flatMap(([file, text]) =>
    french(ts.createSourceFile(file, scripts(file, text), ts.ScriptTarget.Latest, true)),
  );
  expect(said.length).toBeGreaterThan(500);
  expect(said.filter((text) => /[^\u00a0\u202f][:;!?»%](?=\s|$)|«(?!\u00a0|\u202f)|\p{L}'\p{L}/u.test(text))).toEqual([]);
});
