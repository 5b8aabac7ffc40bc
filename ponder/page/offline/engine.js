// A worker: Python, and what `ponder/page/pyodide_worker.py` answers, one task after the other.
//
// To it      { job, task, content }        do a task
//            { stop: job }                 nobody waits for it any more
// From it    { loaded }                    how far it is, in words
//            { ready: { hears } }          whether it hears `stop` while it searches
//            { kept }                      what it has fetched is where the service worker looks
//            { job, say }, { job, end }    what is known so far; the answer, or why there is none
//            { fatal }                     nothing more will come: why
//
// It hears while it searches where WebAssembly can be suspended: Python looks up now and then, and
// waits until messages have come in. Elsewhere it is ended to stop.

const HOME = new URL(".", import.meta.url).href;
const PACKAGES = "/lib/python3.14/site-packages";
const HEARS = "Suspending" in WebAssembly;
const SILENT = 4000, SURE = 700; // milliseconds without a byte until a download is given up
const waiting = [];
let ask = null, busy = false, stopped = 0, wake = () => {};

self.onmessage = ({ data }) => {
  if (data.stop) stopped = Math.max(stopped, data.stop);
  else {
    waiting.push(data);
    serve();
  }
};

const bare = self.fetch.bind(self), kept = [];
let files = {}, cache = null, left = 0, told = 0; // what `contents.json` lists; bytes to come, megabytes

// What is fetched is looked after: a download that stops is told of, and what has come is kept where
// the service worker keeps it (`sw.js`), so that nothing large is fetched twice.
self.fetch = async (asked) => {
  const name = new URL(asked.url ?? asked, HOME).href.slice(HOME.length), before = await cache?.match(name);
  let timer = 0, missing = files[name]?.bytes ?? 0;
  if (before) {
    came(missing);
    return before;
  }
  const stop = new AbortController(), lost = () => postMessage({ fatal: `the download of ${name} was cut off` });
  const wait = () => { // twice: bytes may have come while this thread was busy
    clearTimeout(timer);
    timer = setTimeout(() => { timer = setTimeout(() => { lost(); stop.abort(); }, SURE); }, SILENT);
  };
  wait();
  const reply = await bare(new URL(name, HOME), { signal: stop.signal }).catch(() => null);
  clearTimeout(timer);
  if (!reply?.ok) throw new Error(`${name} ${reply ? "is missing" : "cannot be fetched"}`);
  const { readable, writable } = new TransformStream({
    transform(chunk, out) {
      wait();
      missing -= chunk.length;
      came(chunk.length);
      out.enqueue(chunk);
    },
    flush() { if (missing > 0) throw new Error("cut off"); }, // as a host may say no length
  });
  wait();
  reply.body.pipeTo(writable).catch(lost).finally(() => clearTimeout(timer));
  const whole = new Response(readable, { headers: { "content-type": reply.headers.get("content-type") ?? "" } });
  if (cache) kept.push(cache.put(name, whole.clone()).catch(() => {}));
  return whole;
};

function came(bytes) {
  left -= bytes;
  const before = told;
  told = Math.ceil(left / 1e6);
  if (told !== before) postMessage({ loaded: told > 0 ? `the engine is loading (${told} MB to come)` : "the engine is starting" });
}

try {
  const text = await fetch("contents.json").then((reply) => reply.text());
  const { first, later, files: listed } = await new Response(text).json().catch(() => { throw new Error("contents.json is damaged"); });
  [files, left] = [listed, [...first, "pyodide.asm.wasm", "python_stdlib.zip"].reduce((sum, name) => sum + listed[name].bytes, 0)];
  if (self.name !== "kept") cache = await cacheOf(text).catch(() => null);
  const archives = first.map(bytesOf);
  for (const archive of archives) archive.catch(() => {}); // told of below
  const { loadPyodide } = await import("./pyodide.mjs");
  const python = await loadPyodide({ indexURL: HOME, stdout() {}, stderr: (line) => console.debug(line) });
  const unpack = (bytes) => python.unpackArchive(bytes, "xztar", { extractDir: PACKAGES });
  for (const archive of archives) unpack(await archive);
  const engine = python.pyimport("ponder.page.pyodide_worker");
  engine.prepare(python.toPy(later), (archive) => unpack(bytesAtOnce(archive)));
  ask = engine.ask;
  postMessage({ ready: { hears: HEARS } });
  Promise.all(kept).then(() => postMessage({ kept: true }));
  serve();
} catch (error) {
  postMessage({ fatal: lastLine(error) });
}

async function bytesOf(name) { return new Uint8Array(await (await fetch(name)).arrayBuffer()); }

// Where the service worker will look for this version of the page.
async function cacheOf(contents) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(contents));
  return caches.open(`ponder ${HOME} ${Array.from(new Uint8Array(digest), (x) => x.toString(16).padStart(2, "0")).join("")}`);
}

// Python imports without awaiting, so what only some questions need comes so as well.
function bytesAtOnce(name) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(name, HOME), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${name} is missing`);
  return new Uint8Array(request.response);
}

async function serve() {
  if (!ask || busy) return;
  busy = true;
  while (waiting.length) {
    const { job, task, content } = waiting.shift();
    const tell = (text) => postMessage({ job, say: JSON.parse(text) });
    const words = [task, JSON.stringify(content), tell, HEARS ? () => heard().then(() => stopped >= job) : undefined];
    try {
      const end = stopped >= job ? '{"error": "stopped"}' : await (HEARS ? ask.callPromising(...words) : ask(...words));
      postMessage({ job, end: JSON.parse(end) });
    } catch (error) { // every exception of Python's is answered in Python: this is its end
      postMessage({ fatal: lastLine(error) });
      return self.close();
    }
  }
  busy = false;
}

// Let the messages in that have come: one round of the event loop.
const round = new MessageChannel();
round.port1.onmessage = () => wake();
function heard() {
  return new Promise((resolve) => {
    wake = resolve;
    round.port2.postMessage(null);
  });
}

function lastLine(error) { return String(error.message ?? error).trim().split("\n").at(-1); }
