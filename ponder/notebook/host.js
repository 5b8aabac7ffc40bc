// Where the board lives in a notebook: a shadow tree in a cell's output, with answers from the kernel.
//
// It stands in the place of the page's `host.js`. `given` is what anywidget hands to `render`;
// what the model and the kernel say to each other is told in `ponder/notebook/widget.py`.

import { Board } from "./board.js";
import { Failure } from "./failure.js";

const { model, el, leaving } = given;
const PAUSE = 60; // milliseconds between two words to the kernel about the board
const TALLEST = 720;

el.setAttribute("data-lm-suppress-shortcuts", "true"); // JupyterLab's keys stay away from the board
export const root = el.shadowRoot ?? el.attachShadow({ mode: "open" });
root.innerHTML = `<style>${STYLE}</style><div class="page">${BODY}</div>`;
export const frame = root.querySelector(".page");
export const styled = el;
export const shares = false;
export const ended = leaving;
export const tall = () => Math.min(window.innerHeight, TALLEST);

const VIEW = Array.from(crypto.getRandomValues(new Uint32Array(2)), (x) => x.toString(36)).join("-");
const heard = new Map(); // the number of a question → who listens to what is said about it
let asked = 0;
const take = ({ id, say }) => heard.get(id)?.(say);
model.on("msg:custom", take);

// Ask for a task and yield what becomes known, the answer last: `{ end }`, or `{ error }`.
export async function* messages(task, content, signal) {
  const id = `${VIEW}-${++asked}`, said = [];
  let wake = () => {}, over = false;
  heard.set(id, (message) => { said.push(message); wake(); });
  const left = () => wake();
  signal?.addEventListener("abort", left);
  model.send({ id, ask: task, content });
  try {
    while (!over && !signal?.aborted) {
      if (!said.length) {
        await new Promise((resolve) => { wake = resolve; });
        continue;
      }
      const message = said.shift();
      over = Boolean(message.end || message.error);
      yield message;
    }
  } finally {
    signal?.removeEventListener("abort", left);
    heard.delete(id);
    if (!over) model.send({ id, stop: true });
  }
}

export async function ask(task, content, signal) {
  for await (const { end, error } of messages(task, content, signal)) {
    if (error) throw new Failure(error);
    if (end) return end;
  }
  throw new DOMException("not wanted any more", "AbortError");
}

export function start() { return ask("start", {}); }

// The board as the kernel knows it.
export class Address {
  #written = 0;
  #timer = 0;

  constructor(game, more) {
    this.game = game;
    this.more = more;
  }

  get link() { return ""; }
  get kept() {
    const { columns } = this.read() ?? this.game.board;
    return { presses: model.get("presses").map(([r, c]) => r * columns + c), playing: model.get("playing") };
  }

  read() {
    const text = model.get("text");
    return text ? Board.fromText(text) : null;
  }

  write() {
    clearTimeout(this.#timer);
    const wait = this.#written + PAUSE - performance.now();
    if (wait <= 0) this.#put();
    else this.#timer = setTimeout(() => this.#put(), wait);
  }

  watch(changed) {
    const look = () => { if (model.get("text") !== this.game.board.text) changed(); };
    model.on("change:text", look);
    ended.addEventListener("abort", () => model.off("change:text", look));
  }

  #put() {
    this.#written = performance.now();
    const { board } = this.game, { presses, playing } = this.more();
    model.set("presses", presses.map((k) => [Math.floor(k / board.columns), k % board.columns]));
    model.set("playing", playing);
    model.set("text", board.text);
    model.save_changes();
  }
}

ended.addEventListener("abort", () => model.off("msg:custom", take));
