// A worker: Python, and what `ponder/page/engine.py` answers, one task after the other.
//
// To it      { begin: { count } }          load; count: tell how many bytes have come
//            { job, task, content }        do a task
//            { stop: job }                 nobody waits for it any more
// From it    { alive: name }               the lock that it holds for as long as it lives
//            { loaded }                    how far it is, in words
//            { ready: { hears } }          whether it hears `stop` while it searches
//            { job, say }, { job, end }    what is known so far; the answer, or why there is none
//            { fatal }                     nothing more will come: why
//
// It hears while it searches where WebAssembly can be suspended: Python looks up now and then, and
// waits until messages have come in. Elsewhere whoever wants it to stop ends it.

import { loadPyodide } from "./pyodide.mjs";

const HOME = new URL(".", import.meta.url).href;
const MEGA = 1e6;
const PACKAGES = "/lib/python3.14/site-packages";
const waiting = [];
let ask = null, busy = false, stopped = 0, wake = () => {};

self.onmessage = ({ data }) => {
  if (data.begin) begin(data.begin);
  else if (data.stop) stopped = Math.max(stopped, data.stop);
  else {
    waiting.push(data);
    serve();
  }
};

// ------------------------------------------------------------------------------- loading

async function begin({ count }) {
  try {
    const name = `ponder ${crypto.randomUUID?.() ?? Math.random()}`;
    navigator.locks?.request(name, () => { postMessage({ alive: name }); return new Promise(() => {}); });
    const contents = await fetch(new URL("contents.json", HOME));
    const { files, first, later } = await contents.json().catch(() => { throw new Error("contents.json is damaged"); });
    guard(files, count ? counting(["pyodide.asm.wasm", "python_stdlib.zip", "pyodide.asm.mjs", ...first].map((x) => files[x].bytes)) : null);
    const archives = first.map(bytesOf);
    const python = await loadPyodide({ indexURL: HOME, stdout() {}, stderr: (line) => console.debug(line) });
    const unpack = (bytes) => python.unpackArchive(bytes, "xztar", { extractDir: PACKAGES });
    for (const archive of archives) unpack(await archive);
    postMessage({ loaded: "the engine is starting" });
    const engine = python.pyimport("ponder.page.engine");
    engine.prepare(python.toPy(later), (archive) => unpack(bytesAtOnce(archive)));
    ask = engine.ask;
    postMessage({ ready: { hears: "Suspending" in WebAssembly } });
    serve();
  } catch (error) {
    postMessage({ fatal: lastLine(error) });
  }
}

async function bytesOf(name) {
  const reply = await fetch(new URL(name, HOME));
  if (!reply.ok) throw new Error(`${name} is missing`);
  return new Uint8Array(await reply.arrayBuffer());
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

// Let nothing be fetched from elsewhere. Where bytes are counted (`come`), a file that is missing, cut
// short or replaced by another is the end: what WebAssembly makes of it may wait for ever.
function guard(files, come) {
  const own = self.fetch;
  self.fetch = async (what, options) => {
    const { href } = new URL(what.url ?? what, HOME), name = href.slice(HOME.length);
    if (!href.startsWith(HOME)) throw new TypeError(`the engine loads nothing from ${href}`);
    const reply = await own(what, options);
    if (!come) return reply;
    const isPage = reply.headers.get("content-type")?.startsWith("text/html");
    if (!reply.ok || isPage) postMessage({ fatal: `${name} is ${reply.ok ? "damaged" : "missing"}` });
    let size = 0;
    const judge = () => { if (size !== files[name]?.bytes) postMessage({ fatal: `${name} is damaged` }); };
    return new Response(reply.body.pipeThrough(new TransformStream({
      transform(piece, out) {
        size += piece.length;
        come(piece.length);
        out.enqueue(piece);
      },
      flush: judge,
      cancel: judge, // whoever reads it has given it up
    })), { status: reply.status, headers: reply.headers });
  };
}

// Return what is told of bytes that have come, and tells how much of the whole that is.
function counting(sizes) {
  const whole = sizes.reduce((a, b) => a + b);
  let come = 0, told = -1;
  return (more) => {
    come += more;
    const now = Math.min(Math.round(come / MEGA), Math.round(whole / MEGA));
    if (now === told) return;
    told = now;
    postMessage({ loaded: `the engine is loading (${now} of ${Math.round(whole / MEGA)} MB)` });
  };
}

// ------------------------------------------------------------------------------- answering

async function serve() {
  if (!ask || busy) return;
  busy = true;
  while (waiting.length) {
    const { job, task, content } = waiting.shift();
    const tell = (text) => postMessage({ job, say: JSON.parse(text) });
    const look = "Suspending" in WebAssembly ? () => heard().then(() => stopped >= job) : undefined;
    try {
      const words = [task, JSON.stringify(content), tell, look];
      const end = stopped >= job ? '{"error": "stopped"}' : await (look ? ask.callPromising(...words) : ask(...words));
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
