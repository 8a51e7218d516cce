// A tree of variations: branches grow, are walked, named, marked, and go with all that is on them.

import { expect, test } from 'vitest';
import { StudyTree } from './tree.svelte';

function grown(): StudyTree {
  const tree = StudyTree.line(['a', 'b', 'c']);
  tree.at = 1;
  tree.play('x');
  tree.play('y');
  return tree;
}

test('an action that was played before is no new branch', () => {
  const tree = grown();
  tree.at = 1;
  tree.play('b');
  expect([tree.at, tree.nodes.length]).toEqual([2, 6]);
  tree.at = 1;
  tree.play('x');
  expect([tree.at, tree.nodes.length, tree.path()]).toEqual([4, 6, ['a', 'x']]);
});

test('one walks forward on the first branch, aside to the others, and back', () => {
  const tree = grown();
  expect(tree.path()).toEqual(['a', 'x', 'y']);
  tree.back();
  tree.aside(1);
  expect(tree.path()).toEqual(['a', 'b']);
  tree.end();
  expect(tree.path()).toEqual(['a', 'b', 'c']);
  tree.forward();
  expect(tree.path()).toEqual(['a', 'b', 'c']);
  tree.at = 0;
  tree.back();
  tree.aside(1);
  expect(tree.at).toBe(0);
});

test('a branch goes with all that grows on it, and who stood there stands before it', () => {
  const tree = grown();
  tree.remove(2); // b and c
  expect(tree.kept().map(({ parent, action }) => [parent, action])).toEqual([[-1, ''], [0, 'a'], [1, 'x'], [2, 'y']]);
  expect(tree.path()).toEqual(['a', 'x', 'y']);
  tree.remove(2);
  expect([tree.at, tree.path(), tree.nodes.length]).toEqual([1, ['a'], 2]);
  tree.remove(0);
  expect(tree.nodes.length).toBe(2);
});

test('names and marks are kept, and a mark drawn twice is gone', () => {
  const tree = grown();
  tree.rename(4, 'Sideline');
  tree.mark('A1');
  tree.mark('A1 B2');
  tree.mark('A1');
  const again = StudyTree.of(tree.kept());
  expect(again.nodes[4]!.name).toBe('Sideline');
  expect(again.nodes[5]!.marks).toEqual(['A1 B2']);
  expect(tree.changes).toBe(6); // two actions, a name, three strokes
});
