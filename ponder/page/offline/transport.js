// Questions to a worker of this browser (`engine.js`), which does one task after the other. A search
// that is to stop and does not is ended with its worker, and another is started.
//
// It stands in the place of the page's `transport.js`.

import { Asking } from "./asking.js";
import { sentence } from "./words.js";

const SECONDS = 5;                                        // of a search unless told otherwise
const overtime = (seconds) => 1000 * (2 + 1.5 * seconds); // milliseconds until a search is given up
const GRACE = 3000;                                       // milliseconds that one may take to stop

// The page may load these scripts and no others, whatever anybody writes into it.
const SCRIPTS = ["engine.js", "sw.js"];
const createScriptURL = (name) => {
  if (!SCRIPTS.includes(name)) throw new TypeError(`${name} is no script of this page`);
  return name;
};
const trusted = globalThis.trustedTypes?.createPolicy("ponder", { createScriptURL }) ?? { createScriptURL };
const keeper = navigator.serviceWorker; // missing where the page may keep nothing

let worker = null, ready = null, loaded = ""; // ready: `{ hears }` once it has loaded
let current = null, asked = 0;                // the job that is done
const line = [];                              // those that wait
const $ = (id) => document.getElementById(id);
let trouble = false;                          // whether the engine could not be loaded

// Start a worker; where the browser has none, the page works without answers.
function begin() {
  [ready, loaded, trouble] = [null, "the engine is loading", false];
  try {
    worker = new Worker(trusted.createScriptURL("engine.js"), { type: "module", name: keeper?.controller ? "kept" : "ponder" });
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = (event) => lost(event.message || "its file is missing");
  } catch (error) {
    lost(error.message);
  }
}

function hear({ job, say, end, loaded: far, ready: isReady, kept: isKept, fatal }) {
  if (fatal) return lost(fatal);
  if (far) loaded = far;
  if (isReady) ready = isReady;
  if (isKept) keep();
  if (job !== undefined && job === current?.number) say ? current.tell(say) : done(end);
  return next();
}

// Give the worker the next question; tell the others how far it is.
function next() {
  if (!ready) for (const job of line) job.tell({ waiting: loaded });
  $("engine").hidden = Boolean(ready);
  $("engine-words").textContent = sentence(loaded);
  $("try-again").hidden = !trouble;
  if (!ready || current || !line.length) return;
  current = line.shift();
  const { number, task, content } = current;
  current.patience = setTimeout(() => restart("the search did not end in time and was ended"), overtime(content.timeout));
  worker.postMessage({ job: number, task, content });
}

function done(message) {
  clearTimeout(current?.patience);
  const job = current;
  current = null;
  job?.tell(message);
}

function restart(reason) {
  worker.terminate();
  begin();
  done({ error: reason });
  next();
}

// It has died. Before it could answer anything, another would do the same, until the player or the
// network says so: the questions wait.
function lost(reason) {
  if (ready) return restart(`the search was lost: ${reason}`);
  worker?.terminate();
  [loaded, trouble] = [`the engine cannot be loaded: ${reason}`, true];
  return next();
}

const again = () => { if (trouble) { begin(); next(); } };
$("try-again").addEventListener("click", again);
window.addEventListener("online", again);

const asking = new Asking((task, content, tell) => {
  const job = { number: ++asked, task, content: { timeout: SECONDS, ...content }, tell };
  line.push(job);
  next();
  return () => {
    if (line.includes(job)) line.splice(line.indexOf(job), 1);
    else if (job === current && !ready.hears) restart("stopped");
    else if (job === current) {
      worker.postMessage({ stop: job.number });
      clearTimeout(job.patience);
      job.patience = setTimeout(() => restart("stopped"), GRACE);
    }
  };
});

export function messages(...words) { return asking.messages(...words); }

// Boards that were made with the page, in place of those that the engine cannot make yet: of a day,
// or of a puzzle and a grade, with the seeds 0, 1, 2, …
const readyBoards = fetch("ready.json").then((reply) => reply.json()).catch(() => ({}));
let turn = crypto.getRandomValues(new Uint8Array(1))[0];

async function madeBefore({ daily, puzzle, grade, seed, side, riddle }) {
  if (side) return undefined;
  const found = (await readyBoards)[`${riddle ? "riddle." : ""}${daily ? `daily.${daily}` : `${puzzle}.${grade}`}`];
  if (!found) return undefined;
  const at = daily ? 0 : seed < found.length ? seed : turn++ % found.length, [board, answer] = found[at].split("#");
  return { board, answer, seed: at };
}

export async function ask(task, ...words) {
  const made = task === "new" && !ready && await madeBefore(...words);
  return made && !ready ? made : asking.ask(task, ...words);
}

// The board to begin with, or null, and the boards on offer.
export async function start() { return (await fetch("start.json")).json(); }

// Keep all of this for the next time, when it may be without a network. Where the browser refuses
// to keep anything, the page works as it did.
let kept = false;
function keep() {
  if (!kept) keeper?.register(trusted.createScriptURL("sw.js"), { updateViaCache: "none" }).catch(() => {});
  kept = true;
}

begin();
next();
