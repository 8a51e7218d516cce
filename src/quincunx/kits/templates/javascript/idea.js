// {{title}}

// {{help}}

/** @param {import("./view.js").View} view */
export function choose(view) {
  console.error(view.legal.length); // {{example}}
  return view.legal[Math.floor(Math.random() * view.legal.length)];
}
