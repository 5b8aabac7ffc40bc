// Where the board lives in a notebook: a shadow tree in a cell's output, with answers from the kernel.
//
// It stands in the place of the page's `host.js`. `given` is what `views.js` puts there for a view;
// what the model and the kernel say to each other is told in `ponder/notebook/widget.py`.

import { Asking } from "./asking.js";
import { boardFrom } from "./graph.js";
import { BODY, STYLE, given } from "./given.js";
import { paced } from "./pace.js";

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

const asking = new Asking((task, content, tell) => {
  const id = `${VIEW}-${++asked}`;
  heard.set(id, (message) => {
    if (message.end || message.error) heard.delete(id);
    tell(message);
  });
  model.send({ id, ask: task, content });
  return () => {
    if (heard.delete(id)) model.send({ id, stop: true });
  };
});

export const messages = (...words) => asking.messages(...words), ask = (...words) => asking.ask(...words);
export function start() { return ask("start", {}); }

// The board as the kernel knows it.
export class Address {
  constructor(game, more) {
    this.game = game;
    this.more = more;
    this.write = paced(() => this.#put(), PAUSE);
  }

  get link() { return ""; }
  get kept() {
    const { board } = this.read() ?? this.game;
    return { presses: model.get("presses").map((label) => board.cellOf(label)), playing: model.get("playing") };
  }

  read() {
    const text = model.get("text");
    return text ? { board: boardFrom(text), label: null } : null;
  }

  watch(changed) {
    const look = () => { if (model.get("text") !== this.game.board.text) changed(); };
    model.on("change:text", look);
    ended.addEventListener("abort", () => model.off("change:text", look));
  }

  #put() {
    const { board } = this.game, { presses, playing } = this.more();
    model.set("presses", presses.map((k) => board.label(k)));
    model.set("playing", playing);
    if (board.bulbs) model.set("text", board.text);
    model.save_changes();
  }
}

ended.addEventListener("abort", () => model.off("msg:custom", take));
