// One page of this browser at a time sits at a match: two would each keep it as they see it. Who comes second waits until
// the first one leaves, and App.svelte says so. Where the browser has no locks (no https), nobody waits.

const SOON = 400; // milliseconds: a page that is loaded anew finds its own lock for a moment

interface Hold {
  lines: number;
  /** Whether it was new to this page. */
  granted: Promise<boolean>;
  leave: () => void;
}

const holds = new Map<string, Hold>();
export const elsewhere = $state({ matches: 0 });

/** Done when no other page sits there: true for the first line of this one. */
export async function sit(id: string): Promise<boolean> {
  const known = holds.get(id);
  if (known) {
    known.lines++;
    await known.granted;
    return false;
  }
  const hold = asked(id);
  holds.set(id, hold);
  return hold.granted;
}

export function leave(id: string): void {
  const hold = holds.get(id);
  if (!hold || --hold.lines) return;
  holds.delete(id);
  hold.leave();
}

function asked(id: string): Hold {
  if (!navigator.locks) return { lines: 1, granted: Promise.resolve(true), leave: () => {} };
  const gone = new AbortController();
  let release = () => {};
  const left = new Promise<void>((done) => (release = done));
  let told = false;
  const tell = (waits: boolean) => {
    if (told !== waits) elsewhere.matches += waits ? 1 : -1;
    told = waits;
  };
  const late = setTimeout(() => tell(true), SOON);
  const settled = () => (clearTimeout(late), tell(false));
  const granted = new Promise<boolean>((done) => {
    const held = () => (settled(), done(true), left);
    navigator.locks.request(`quincunx ${id}`, { signal: gone.signal }, held).catch(() => {}); // it left while it waited
  });
  return { lines: 1, granted, leave: () => (settled(), release(), gone.abort()) };
}
