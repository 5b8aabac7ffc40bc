// Keeps one version of the page whole, so that it opens without a network.
//
// VERSION is the SHA-256 of `contents.json`, which names the other files with theirs: what is kept
// is this version or nothing. A new version waits until the page is opened again, and then takes
// the place of the old one: no page ever has files of two.

const VERSION = "";
const CACHE = `ponder ${registration.scope} ${VERSION}`;
const AGAIN = "<!doctype html><title>ponder</title><script>location.reload()</script>";

self.addEventListener("install", (event) => event.waitUntil(install()));

async function install() {
  const contents = await exact("contents.json", VERSION);
  const { files } = await contents.clone().json();
  const cache = await caches.open(CACHE);
  try {
    await cache.put("contents.json", contents);
    await Promise.all(Object.entries(files).filter(([name]) => name !== "sw.js").map(async ([name, { sha256 }]) =>
      await isExact(await cache.match(name), sha256) || cache.put(name, await exact(name === "index.html" ? "./" : name, sha256))));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

// Whether the engine has put a file of this very content there (`engine.js`).
async function isExact(kept, sha256) {
  const digest = kept && await crypto.subtle.digest("SHA-256", await kept.arrayBuffer());
  return Boolean(kept) && Array.from(new Uint8Array(digest), (x) => x.toString(16).padStart(2, "0")).join("") === sha256;
}

// Fetch a file of this very content; what the browser has anyway is not fetched again.
async function exact(name, sha256) {
  const integrity = `sha256-${btoa(String.fromCharCode(...sha256.match(/../g).map((x) => parseInt(x, 16))))}`;
  const reply = await fetch(name, { integrity, cache: "force-cache" }).catch(() => null);
  const sure = reply?.ok ? reply : await fetch(name, { integrity, cache: "reload" });
  if (!sure.ok) throw new Error(`${name} is missing`);
  return sure;
}

self.addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate() {
  const ours = `ponder ${registration.scope} `;
  for (const name of await caches.keys()) if (name.startsWith(ours) && name !== CACHE) await caches.delete(name);
  await clients.claim();
}

self.addEventListener("message", ({ data }) => { if (data === "begin") skipWaiting(); });

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(reply(request));
});

async function reply(request) {
  if (request.mode === "navigate" && registration.waiting && (await clients.matchAll()).length < 2) {
    registration.waiting.postMessage("begin");
    return new Response(AGAIN, { headers: { "content-type": "text/html" } });
  }
  const name = new URL(request.url).pathname.slice(new URL(registration.scope).pathname.length) || "index.html";
  const kept = await caches.match(name, { cacheName: CACHE }); // as it is: its compiled form is kept with it
  return kept ?? fetch(request);
}
