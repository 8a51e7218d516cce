// The matches that this browser keeps for the house: each as the text that it gave. Of many, the ones that nobody has
// looked at for longest go; where the browser keeps nothing, they last as long as the page.

const PREFIX = 'quincunx.offline.match.';
const MOST = 40;

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
    return Object.fromEntries(all().map(([key, text]) => [key.slice(PREFIX.length), text.slice(text.indexOf(' ') + 1)]));
  } catch {
    return {};
  }
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
