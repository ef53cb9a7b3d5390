// Keeps the page for use without the net. The net goes first, so that an exported folder that is uploaded anew is seen at once; the pieces of
// the weights are kept by pieces.js, which checks them.

const FOLDER = new URL("./", self.location).pathname;
const CACHE = `lightloom page ${FOLDER}`;
const SCRIPTS = ["app", "cards", "complaint", "engine", "kernels", "mixing", "network", "pieces", "preprocess", "source", "stage"];
const FILES = ["./", "index.html", "style.css", "icon.svg", "plan.json", ...SCRIPTS.map((name) => `${name}.js`)];
const PATIENCE_MS = 5000; // a net that is there and does not answer

self.addEventListener("install", (event) => {
  const fresh = FILES.map((name) => new Request(name, { cache: "reload" }));
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(fresh))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  const asked = fetch(request).then(async (found) => {
    if (found.ok) await cache.put(request.url.split(/[?#]/)[0], found.clone());
    return found;
  });
  if (!kept) return asked;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, kept));
  return Promise.race([asked.then((found) => (found.ok ? found : kept)).catch(() => kept), late]);
}

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const name = pathname.slice(FOLDER.length) || "./";
  if (event.request.method === "GET" && origin === self.location.origin && pathname.startsWith(FOLDER) && FILES.includes(name)) {
    event.respondWith(answer(event.request));
  }
});
