// The service worker (sw.js), from the page's side: it keeps the pages at the first visit, and everything once somebody
// plays. `document.documentElement.dataset.kept` says when all of it is there.

export function install(): void {
  if ('serviceWorker' in navigator && !import.meta.env.DEV) navigator.serviceWorker.register('./sw.js').catch(() => {});
}

export async function keepAll(): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<string>) => (document.documentElement.dataset.kept = data);
  active?.postMessage('all', [port2]);
}
