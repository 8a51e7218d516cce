// Logs stay in this browser: they are kept by the id of their match, so that a reload finds them, and are sent nowhere.
// Where a browser keeps nothing, they last as long as the page.

const NAME = 'quincunx-flight';
const LOGS = 'logs';
const MOST = 20; // the oldest go first

interface Kept {
  match: string;
  text: string;
  at: number;
}

const memory = new Map<string, string>();

function answered<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error ?? new Error('IndexedDB'));
  });
}

async function logs(): Promise<IDBDatabase> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(LOGS, { keyPath: 'match' });
  return answered(opening);
}

async function within<T>(work: (store: IDBObjectStore) => Promise<T>): Promise<T | undefined> {
  try {
    const database = await logs();
    try {
      const transaction = database.transaction(LOGS, 'readwrite');
      const committed = new Promise<void>((done, failed) => {
        transaction.oncomplete = () => done();
        transaction.onabort = () => failed(transaction.error ?? new Error('IndexedDB'));
      });
      committed.catch(() => undefined); // the work says it first
      const result = await work(transaction.objectStore(LOGS));
      await committed; // until then a reload would find what was there before
      return result;
    } finally {
      database.close();
    }
  } catch {
    return undefined; // forbidden or full: memory has it
  }
}

export async function keepLog(match: string, text: string): Promise<void> {
  memory.set(match, text);
  await within(async (store) => {
    await answered(store.put({ match, text, at: Date.now() } satisfies Kept));
    const all = (await answered(store.getAll())) as Kept[];
    const old = all.sort((a, b) => b.at - a.at).slice(MOST);
    for (const { match: gone } of old) await answered(store.delete(gone));
  });
}

export async function recallLog(match: string): Promise<string | null> {
  const kept = memory.get(match) ?? (await within(async (store) => (await answered(store.get(match))) as Kept))?.text;
  return kept ?? null;
}

export async function dropLog(match: string): Promise<void> {
  memory.delete(match);
  await within((store) => answered(store.delete(match)));
}
