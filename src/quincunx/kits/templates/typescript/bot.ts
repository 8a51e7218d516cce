// The bot: one JSON message a line on stdin and stdout, until stdin ends. What to play is asked in idea.ts.
// There is nothing to change here.

import { choose } from "./idea.ts";
import { greeted, see, type View } from "./view.ts";

console.log = console.info = console.debug = console.error; // what an idea prints is not part of the dialogue

let view: View;
let plays = 0;
let tried: string[] = []; // since the last update

function play(action: string): void {
  plays += 1;
  tried.push(action);
  process.stdout.write(JSON.stringify({ type: "play", id: String(plays), seat: view.seat, action }) + "\n");
}

async function hear(message: any): Promise<void> {
  if (message.type === "welcome") {
    view = greeted(message); // a match begins
  } else if (message.type === "update") {
    see(view, message);
    tried = [];
    if (message.to_act.includes(view.seat) && !message.outcome) {
      play(await choose(view));
      view.first = false;
    }
  } else if (message.type === "refused" && message.id === String(plays) && tried.length) {
    console.error("refused:", tried.at(-1), message.words?.en);
    const others = view.legal.filter((action) => !tried.includes(action));
    const among = others.length ? others : view.legal;
    play(among[Math.floor(Math.random() * among.length)]);
  }
}

process.stdin.setEncoding("utf8");
let rest = ""; // of a line that has not ended (node:readline would also break lines at U+2028)
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (line.trim()) await hear(JSON.parse(line));
}
