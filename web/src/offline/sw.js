// Keeps the games for when there is no network. tools/offline.py writes before this: VERSION, a digest of all files; SHELL,
// what the first page needs; ALL, everything. The shell is kept when it is first looked at, all of it as soon as
// somebody plays, and then of the next version, too. What is kept under one version never changes, so it is not asked
// for again; pages that are open go on with the version that they came with.
const CACHE = `quincunx ${VERSION}`;

async function gather(files) {
  const cache = await caches.open(CACHE);
  const here = new Set((await cache.keys()).map(({ url }) => url));
  const wanted = files.map((file) => new URL(file, self.registration.scope).href).filter((url) => !here.has(url));
  await Promise.all(wanted.map((url) => cache.add(new Request(url, { cache: 'reload' })))); // not what a browser has of old
}

const olds = async () => (await caches.keys()).filter((name) => name.startsWith('quincunx ') && name !== CACHE);

/** Does somebody play here? Then they have Python. */
async function played() {
  for (const name of await olds())
    for (const { url } of await (await caches.open(name)).keys())
      if (url.startsWith(new URL('python/', self.registration.scope).href)) return true;
  return false;
}

self.addEventListener('install', (event) => {
  event.waitUntil(played().then((all) => gather(all ? ALL : SHELL)));
});

self.addEventListener('activate', (event) => {
  const clean = async () => {
    for (const name of await olds()) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener('message', (event) => {
  if (event.data !== 'all') return;
  const port = event.ports[0];
  event.waitUntil(gather(ALL).then(() => port?.postMessage('kept'), () => port?.postMessage('later')));
});

async function found(request) {
  const cache = await caches.open(CACHE);
  const asked = request.mode === 'navigate' ? new URL('index.html', self.registration.scope).href : request;
  return (await cache.match(asked, { ignoreSearch: true })) ?? fetch(request);
}

self.addEventListener('fetch', (event) => {
  const { url, method } = event.request;
  if (method === 'GET' && url.startsWith(self.registration.scope)) event.respondWith(found(event.request));
});
