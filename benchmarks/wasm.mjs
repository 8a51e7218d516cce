// One game in WebAssembly, for wasm.py: node wasm.mjs FOLDER GAME. The first line that it reads is a world, the others
// are "job amount longest". The answers are "done seconds mark"; seconds are those of the processor.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { AlphaBeta } from '../web/src/lib/engine/alphabeta.ts';
import { Engine } from '../web/src/lib/engine/engine.ts';
import { Mcts } from '../web/src/lib/engine/mcts.ts';
import { Rules } from '../web/src/lib/engine/rules.ts';

const [folder, name] = process.argv.slice(2);
const about = JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'));
const engine = await Engine.make(new WebAssembly.Module(readFileSync(`${folder}/${name}.wasm`)), about);
const rules = new Rules(engine);
const world = rules.newWorld();
const outlook = rules.newOutlook(world.terms);

// Room is never given back: each job keeps its own, for the amount that it is asked for first
const kept = {};
const once = (what, make) => (kept[what] ??= make());

const jobs = {
  playouts(amount, longest) {
    const [state, out, random] = once('playouts', () => [engine.rows('State'), engine.ints(about.maxLegal), rules.random(0)]);
    rules.seed(random, 7);
    const room = [random, state, out, rules.silent];
    const steps = engine.count('random_games', world.terms, world.state, amount, longest, ...room);
    return [steps, `${steps}`];
  },
  perft(amount) {
    const [stack, moves] = once('perft', () => [engine.rows('State', amount + 1), engine.grid(amount + 1, about.maxLegal)]);
    engine.put(stack, world.state);
    const leaves = engine.count('perft', world.terms, stack, moves, rules.silent, amount, 0);
    return [leaves, `${leaves}`];
  },
  alphabeta(amount) {
    const player = once('alphabeta', () => new AlphaBeta(rules, 1, { nodes: amount }));
    player.begin(1);
    const { action, nodes, depth } = player.choose(outlook);
    return [nodes, `${action} ${nodes} ${depth}`];
  },
  mcts(amount) {
    const player = once('mcts', () => new Mcts(rules, 1, amount));
    player.begin(1);
    const action = player.choose(outlook);
    return [amount, `${action} ${engine.get(player.tree, 'used')}`];
  },
};

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
rules.fromBytes(world, new Uint8Array(Buffer.from((await lines.next()).value, 'base64')));
rules.observe(world, rules.turn(world), outlook);
for await (const line of lines) {
  const [job, amount, longest] = line.split(' ');
  const begun = process.cpuUsage();
  const [done, mark] = jobs[job](Number(amount), Number(longest));
  const { user, system } = process.cpuUsage(begun);
  console.log(`${done} ${(user + system) / 1e6} ${mark}`);
}
