// What WebAssembly makes of what it is asked, for tests/wasm_node.py: node wasm.mjs FOLDER NAME < asked > told
// Both are JSON; whole numbers of 64 bits travel as texts, fractions as their bits, structures as base64.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { AlphaBeta } from '../web/src/lib/engine/alphabeta.ts';
import { Engine } from '../web/src/lib/engine/engine.ts';
import { Mcts } from '../web/src/lib/engine/mcts.ts';
import { Rules } from '../web/src/lib/engine/rules.ts';

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
const texts = (numbers) => numbers.map(String);
const unpacked = (text) => new Uint8Array(Buffer.from(text, 'base64'));

// -- single functions -------------------------------------------------------------------------------------------------

const word = new DataView(new ArrayBuffer(8));

function number(kind, text) {
  if (kind !== 'double') return kind.endsWith('64') ? BigInt(text) : text;
  word.setBigUint64(0, BigInt(`0x${text}`));
  return word.getFloat64(0);
}

function told(came) {
  if (typeof came !== 'number') return came === undefined ? null : typeof came === 'bigint' ? String(came) : came;
  word.setFloat64(0, came);
  return word.getBigUint64(0).toString(16).padStart(16, '0');
}

/** Functions by their names, each with its arguments: what they give, and what becomes of rows. */
function calls(engine, asked) {
  const kept = {}; // rows are never given back: each kind and length is made once
  return asked.calls.map(([door, ...given]) => {
    const rows = [];
    const arguments_ = engine.about.functions[door].takes.map(({ kind, dimensions }, k) => {
      if (kind in engine.about.structures || dimensions) {
        const bytes = unpacked(given[k]);
        const made = (kept[`${k} ${kind} ${bytes.length}`] ??= kind === 'i64' ? engine.ints(bytes.length / 8) : engine.rows(kind));
        engine.bytes(made).set(bytes);
        rows.push(made);
        return made;
      }
      return number(kind, given[k]);
    });
    const came = told(engine.call(door, ...arguments_));
    return [came, ...rows.map((made) => Buffer.from(engine.bytes(made)).toString('base64'))];
  });
}

// -- positions of a game ----------------------------------------------------------------------------------------------

class Positions {
  constructor(engine, asked) {
    this.engine = engine;
    this.asked = asked;
    this.rules = new Rules(engine);
    this.world = this.rules.newWorld();
    this.after = { terms: this.world.terms, state: engine.rows('State') };
    this.outlook = this.rules.newOutlook(this.world.terms);
    this.random = this.rules.random(0);
    this.out = engine.ints(engine.about.maxLegal);
    this.stack = engine.rows('State', asked.depth + 1);
    this.moves = engine.grid(asked.depth + 1, engine.about.maxLegal);
    this.simulating = new Mcts(this.rules, 1, asked.simulations);
    if (engine.about.open) this.searching = new AlphaBeta(this.rules, 1, { nodes: asked.nodes }, 1);
  }

  told({ bytes, action, thinks }) {
    const { engine, rules, world, outlook } = this;
    rules.fromBytes(world, unpacked(bytes));
    const seat = rules.turn(world);
    const came = { turn: seat, key: String(rules.key(world)), scores: texts(rules.scores(world)) };
    came.views = this.asked.observers.map((observer) => {
      rules.observe(world, observer, outlook);
      return digest(engine.bytes(outlook.view));
    });
    if (seat === -1) {
      rules.seed(this.random, 1);
      came.roll = String(rules.roll(world, this.random));
      came.outcome = String(rules.chanceOutcome(world, BigInt(action)));
    } else if (seat >= 0) {
      came.legal = texts(rules.legal(world, seat));
      came.fallback = String(rules.fallback(world, seat));
      came.asked = rules.toAct(world, seat);
      came.refusals = this.asked.actions.map((other) => rules.check(world, seat, BigInt(other)));
    }
    if (action !== null) Object.assign(came, this.acted(seat, BigInt(action)));
    return thinks && seat >= 0 ? { ...came, ...this.thought(seat) } : came;
  }

  acted(seat, action) {
    const { engine, rules, world, after } = this;
    const refusal = rules.check(world, seat, action);
    const stories = this.asked.observers.map((observer) => {
      rules.copy(after, world);
      return texts(rules.story(after, seat, action, observer));
    });
    const noted = digest(engine.bytes(after.state));
    rules.copy(after, world);
    rules.apply(after, seat, action);
    return { refusal, stories, after: noted, silently: digest(engine.bytes(after.state)) };
  }

  thought(seat) {
    const { engine, rules, world, outlook, simulating, searching, after } = this;
    rules.observe(world, seat, outlook);
    simulating.begin(1);
    const action = String(simulating.choose(outlook));
    const used = 1 + engine.get(simulating.tree, 'used');
    const tree = digest(engine.bytes(simulating.nodes).subarray(0, used * simulating.nodes.size));
    simulating.begin(1);
    const again = String(simulating.choose(outlook, () => {})); // with pauses
    const plies = (line) => line.map(({ seat, action }) => [seat, String(action)]);
    const tried = simulating.tried(outlook, BigInt(action));
    const lines = [plies(tried.line)];
    const came = { lines, value: tried.value, mcts: [action, again, Number(engine.get(simulating.tree, 'rounds')), tree] };
    rules.seed(this.random, 1);
    const room = [this.random, after.state, this.out, rules.silent];
    const played = engine.count('random_games', world.terms, world.state, this.asked.games, 200, ...room);
    came.played = [String(played), digest(engine.bytes(after.state))];
    if (!searching) return came;
    searching.begin(1);
    const thought = searching.choose(outlook);
    const { action: best, nodes, depth, value } = thought;
    lines.push(plies(searching.line(outlook.terms, thought)));
    engine.put(this.stack, world.state);
    const leaves = engine.count('perft', world.terms, this.stack, this.moves, rules.silent, this.asked.depth, 0);
    return { ...came, alphabeta: [String(best), nodes, depth, value], perft: String(leaves) };
  }
}

// -- a thought that another thread ends -------------------------------------------------------------------------------

/** The worker searches without a budget, while this thread thinks too, in the memory that they share, and ends it. */
async function stopped(module, about, memory, asked) {
  const given = { module, about, memory, bytes: unpacked(asked.bytes) };
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: given });
  const heard = () => new Promise((done, failed) => worker.once('message', done).once('error', failed));
  const flag = await heard();
  const answer = heard();
  const positions = new Positions(await Engine.make(module, about, memory), asked);
  const own = asked.positions.map((each) => positions.told(each));
  Atomics.store(new Int8Array(memory.buffer), flag, 1);
  const there = await answer;
  await worker.terminate();
  return { there, own };
}

async function search({ module, about, memory, bytes }) {
  const rules = new Rules(await Engine.make(module, about, memory));
  const world = rules.newWorld();
  rules.fromBytes(world, bytes);
  const outlook = rules.newOutlook(world.terms);
  rules.observe(world, rules.turn(world), outlook);
  const player = about.open ? new AlphaBeta(rules, 1, {}, 1) : new Mcts(rules, 1);
  parentPort.postMessage(player.flag);
  const came = player.choose(outlook);
  parentPort.postMessage(String(about.open ? came.action : came));
}

// -- a thought that ends itself, by the clock --------------------------------------------------------------------------

function timed(rules, { world: bytes, time }) {
  const world = rules.newWorld();
  rules.fromBytes(world, unpacked(bytes));
  const outlook = rules.newOutlook(world.terms);
  rules.observe(world, rules.turn(world), outlook);
  const players = [new Mcts(rules, 1, undefined, time)];
  if (rules.engine.about.open) players.push(new AlphaBeta(rules, 1, { time }, 1));
  return players.map((player) => {
    const begun = performance.now();
    const came = player.choose(outlook);
    return [String(came.action ?? came), performance.now() - begun];
  });
}

if (isMainThread) {
  const [folder, name] = process.argv.slice(2);
  const about = JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'));
  const module = new WebAssembly.Module(readFileSync(`${folder}/${name}.wasm`));
  const limits = { initial: about.memory.pages, maximum: about.memory.mostPages, shared: true };
  const memory = about.memory.shared ? new WebAssembly.Memory(limits) : undefined;
  const asked = JSON.parse(readFileSync(0, 'utf8'));
  let came;
  if (asked.engines) {
    const made = Array.from({ length: asked.engines }, () => Engine.make(module, about, memory));
    came = (await Promise.all(made)).map((engine) => engine.exported.stack_pointer.value);
  } else if (asked.time) came = timed(new Rules(await Engine.make(module, about)), asked);
  else if (asked.bytes) came = await stopped(module, about, memory, asked);
  else {
    const engine = await Engine.make(module, about, memory);
    const positions = asked.positions && new Positions(engine, asked);
    came = positions ? asked.positions.map((each) => positions.told(each)) : calls(engine, asked);
    came = { came, bytes: engine.memory.buffer.byteLength };
  }
  writeFileSync(1, JSON.stringify(came));
} else {
  await search(workerData);
}
