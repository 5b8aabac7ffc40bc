// A worker: Python, and what `ponder/page/pyodide_worker.py` answers, one task after the other.
//
// To it      { job, task, content }        do a task
//            { stop: job }                 nobody waits for it any more
// From it    { loaded }                    how far it is, in words
//            { ready: { hears } }          whether it hears `stop` while it searches
//            { job, say }, { job, end }    what is known so far; the answer, or why there is none
//            { fatal }                     nothing more will come: why
//
// It hears while it searches where WebAssembly can be suspended: Python looks up now and then, and
// waits until messages have come in. Elsewhere it is ended to stop.

import { loadPyodide } from "./pyodide.mjs";

const HOME = new URL(".", import.meta.url).href;
const PACKAGES = "/lib/python3.14/site-packages";
const HEARS = "Suspending" in WebAssembly;
const waiting = [];
let ask = null, busy = false, stopped = 0, wake = () => {};

self.onmessage = ({ data }) => {
  if (data.stop) stopped = Math.max(stopped, data.stop);
  else {
    waiting.push(data);
    serve();
  }
};

// ------------------------------------------------------------------------------- loading

try {
  const contents = await fetch(new URL("contents.json", HOME));
  const { first, later } = await contents.json().catch(() => { throw new Error("contents.json is damaged"); });
  let left = first.length + 1;
  const told = (part) => {
    left -= 1;
    postMessage({ loaded: `the engine is loading (${left} ${left === 1 ? "part" : "parts"} to come)` });
    return part;
  };
  const archives = first.map((name) => bytesOf(name).then(told));
  for (const archive of archives) archive.catch(() => {}); // told of below
  const python = told(await loadPyodide({ indexURL: HOME, stdout() {}, stderr: (line) => console.debug(line) }));
  const unpack = (bytes) => python.unpackArchive(bytes, "xztar", { extractDir: PACKAGES });
  for (const archive of archives) unpack(await archive);
  const engine = python.pyimport("ponder.page.pyodide_worker");
  engine.prepare(python.toPy(later), (archive) => unpack(bytesAtOnce(archive)));
  ask = engine.ask;
  postMessage({ ready: { hears: HEARS } });
  serve();
} catch (error) {
  postMessage({ fatal: lastLine(error) });
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

// ------------------------------------------------------------------------------- answering

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
