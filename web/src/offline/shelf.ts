// The matches that this browser keeps for the house: each as the text that it gave. Of many, the ones that nobody has
// looked at for longest go; where the browser keeps nothing, they last as long as the page.

const PREFIX = 'quincunx.offline.match.';
const MOST = 40;

const bare = (text: string) => text.slice(text.indexOf(' ') + 1);

/** Of each, when it was kept: the text begins with it. */
const timeOf = (text: string) => Number(text.slice(0, text.indexOf(' ')));

function all(): [string, string][] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => [key, localStorage.getItem(key) ?? ''] as [string, string])
    .sort(([, a], [, b]) => timeOf(a) - timeOf(b));
}

export function kept(): Record<string, string> {
  try {
    return Object.fromEntries(all().map(([key, text]) => [key.slice(PREFIX.length), bare(text)]));
  } catch {
    return {};
  }
}

export function read(id: string): string | null {
  try {
    const text = localStorage.getItem(PREFIX + id);
    return text === null ? null : bare(text);
  } catch {
    return null; // forbidden: the worker has it
  }
}

/** Another page of this browser has kept a match, or, without a text, lost it. */
export function heed(told: (id: string, text: string | null) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX)) told(key.slice(PREFIX.length), newValue === null ? null : bare(newValue));
  });
}

export function put(id: string, text: string): void {
  try {
    const others = all().filter(([key]) => key !== PREFIX + id);
    for (const [key] of others.splice(0, Math.max(0, others.length - MOST + 1))) localStorage.removeItem(key);
    for (;;) {
      try {
        return localStorage.setItem(PREFIX + id, `${Date.now()} ${text}`);
      } catch (full) {
        const oldest = others.shift();
        if (!oldest) throw full;
        localStorage.removeItem(oldest[0]);
      }
    }
  } catch {
    // forbidden: the worker has it
  }
}

export function drop(id: string): void {
  try {
    localStorage.removeItem(PREFIX + id);
  } catch {
    // forbidden
  }
}
