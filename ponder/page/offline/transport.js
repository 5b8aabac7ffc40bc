// Questions to workers of this browser, two at most: what `ponder/page/workers.py` is to the server.
//
// It stands in the place of the page's `transport.js`. A worker (`engine.js`) does one task after
// the other. One that cannot hear while it searches is ended when it is to stop. One that can, but
// goes on, is ended when another could have started meanwhile. The second is there so that the
// next question need not wait.

import { Asking } from "./asking.js";
import { Board, LONGEST_SIDE } from "./board.js";
import { GOALS, PATTERNS, RULES } from "./puzzles.js";

const MOST = 2;                                              // workers
const overtime = (seconds) => 1000 * (2 + 1.5 * seconds);    // milliseconds until a search is given up
const USUAL = ["pattern: cross", "rule: unlit", "goal: lit"]; // what a board has that says nothing else
const SECONDS = 5;                                           // of a search unless told otherwise

// The page may load these scripts and no others, whatever anybody writes into it.
const SCRIPTS = ["engine.js", "sw.js"];
const createScriptURL = (name) => {
  if (!SCRIPTS.includes(name)) throw new TypeError(`${name} is no script of this page`);
  return name;
};
const trusted = globalThis.trustedTypes?.createPolicy("ponder", { createScriptURL }) ?? { createScriptURL };
const keeper = navigator.serviceWorker; // missing where the page may keep nothing

class Engine {
  ready = false;   // whether it has loaded what every search needs
  hears = false;   // whether it hears while it searches
  job = null;      // what it does
  loaded = "the engine is loading"; // how far it is before that, in words
  cost = performance.now(); // when it began; then the milliseconds until it was ready

  constructor() {
    this.worker = new Worker(trusted.createScriptURL("engine.js"), { type: "module", name: "ponder" });
    this.worker.onmessage = ({ data }) => this.#hear(data);
    this.worker.onerror = (event) => this.#lost(event.message || "its file is missing");
    // What the browser has kept is read at once, and compiled already: its bytes are not counted.
    this.worker.postMessage({ begin: { count: !keeper?.controller } });
  }

  #hear({ job, say, end, loaded, ready, alive, fatal }) {
    if (fatal) return this.#lost(fatal);
    if (alive) return navigator.locks.request(alive, () => this.#lost("it was ended"));
    if (loaded) {
      this.loaded = loaded;
      return dispatch();
    }
    if (ready) {
      [this.ready, this.hears, this.cost] = [true, ready.hears, performance.now() - this.cost];
      keep();
      return dispatch(!this.hears); // a spare would take the first answer's time
    }
    if (job !== this.job?.number) return;
    if (say) return this.job.tell(say);
    this.#done(end);
    return dispatch(true);
  }

  do(job) {
    this.job = job;
    const { seconds, task, content } = job;
    job.patience = setTimeout(() => this.end("the search did not end in time and was ended"), overtime(seconds));
    this.worker.postMessage({ job: job.number, task, content });
  }

  // Nobody waits for the answer any more.
  stop() {
    clearTimeout(this.job.patience);
    if (!this.hears) return this.end("stopped");
    this.worker.postMessage({ stop: this.job.number });
    this.job.patience = setTimeout(() => this.end("stopped"), this.cost);
  }

  end(reason) {
    this.worker.terminate();
    engines.delete(this);
    this.#done({ error: reason });
    dispatch(true);
  }

  #done(message) {
    clearTimeout(this.job?.patience);
    this.job?.tell(message);
    this.job = null;
  }

  // It has died. Before it could answer anything, another would do the same: whoever waits is told,
  // and only the next question tries again.
  #lost(reason) {
    if (!engines.has(this)) return;
    if (this.ready) return this.end(`the search was lost: ${reason}`);
    this.worker.terminate();
    engines.delete(this);
    none(reason);
  }
}

const engines = new Set(), line = [];
let asked = 0;

// Give the next questions to workers that are free; start a worker where one is needed, or soon will.
function dispatch(spare = line.length > 0) {
  for (const engine of engines) {
    if (line.length && engine.ready && !engine.job) engine.do(line.shift());
  }
  const starting = [...engines].find((x) => !x.ready);
  if (!starting && engines.size < MOST && (line.length || spare)) begin();
  const waiting = [...engines].every((x) => !x.ready) && [...engines][0]?.loaded;
  if (waiting) for (const job of line) job.tell({ waiting });
}

// Start a worker. Where the browser has none, whoever waits is told, and the page works without answers.
function begin() {
  try { engines.add(new Engine()); } catch (error) { none(error.message); }
}

function none(reason) {
  if (!engines.size) for (const job of line.splice(0)) job.tell({ error: `the engine cannot be loaded: ${reason}` });
}

const asking = new Asking((task, content, tell) => {
  const { timeout, ...rest } = content, seconds = timeout ?? SECONDS;
  const job = { number: ++asked, task, content: { ...rest, timeout: seconds }, seconds, tell };
  line.push(job);
  dispatch();
  return () => {
    const at = line.indexOf(job);
    if (at >= 0) line.splice(at, 1);
    else for (const engine of engines) if (engine.job === job) engine.stop();
  };
});

export function messages(task, content, signal) { return asking.messages(task, content, signal); }

export async function ask(task, content, signal) {
  return (task === "board" && ownForm(content.board)) || asking.ask(task, content, signal);
}

// A board in the page's own form, with all of its header or less, needs no engine to be read. Whatever
// else there is about a text, the engine says.
function ownForm(text) {
  const lines = text.trim().split("\n");
  const header = USUAL.map((usual) => {
    const at = lines.findIndex((line) => line.startsWith(usual.split(" ")[0]));
    return at < 0 ? usual : lines.splice(at, 1)[0];
  });
  const whole = [...header, ...lines, ""].join("\n");
  try {
    const { rows, columns, cells, pattern, rule, goal, text: own } = Board.fromText(whole);
    const named = pattern !== "stencil" && Object.hasOwn(PATTERNS, pattern);
    const known = named && RULES.includes(rule) && GOALS.includes(goal);
    const sized = Math.max(rows, columns) <= LONGEST_SIDE && cells.length === rows * columns;
    return known && sized && own === whole ? { board: own } : null;
  } catch {
    return null;
  }
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
