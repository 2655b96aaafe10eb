self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (!event.request.url.includes('/flood')) return;
  const store = async () => {
    const cache = await caches.open('flood');
    await cache.put(event.request, new Response('x'.repeat(10000)));
    return new Response('x');
  };
  event.respondWith(store());
});
