// {{title}}

// {{help}}

import type { View } from "./view.ts";

export function choose(view: View): string | Promise<string> {
  console.error(view.legal.length); // {{example}}
  return view.legal[Math.floor(Math.random() * view.legal.length)];
}
