// Playing a sequence on the board: start and pause, step, a slider, speed.

import { at as $, on } from "./dom.js";
import { line } from "./words.js";

const PACES = [2000, 1000, 500, 250, 125, 40]; // milliseconds a press
const USUAL = 500, WHOLE = 12_000;             // of one press, and of a whole sequence at most

export class Player extends EventTarget {
  sequence = null;
  at = 0;
  running = false;
  pace = null; // milliseconds a press, once somebody has chosen them

  constructor(game) {
    super();
    this.game = game;
  }

  // The pace that is taken unless told otherwise: a long sequence goes quicker.
  get usual() { return PACES.find((x) => x <= USUAL && x * (this.sequence?.length ?? 0) <= WHOLE) ?? PACES.at(-1); }

  get active() { return this.sequence !== null; }

  // Begin to show a sequence from where the game stands; `Undo` returns there.
  begin(sequence) {
    this.game.keep();
    this.from = this.game.now;
    this.sequence = sequence;
    this.at = 0;
    this.run();
  }

  run() {
    if (this.at >= this.sequence.length) this.to(0);
    this.running = true;
    this.#schedule();
    this.#changed();
  }

  pause() {
    this.running = false;
    clearTimeout(this.timer);
    this.#changed();
  }

  to(at) {
    this.at = Math.max(0, Math.min(this.sequence.length, at));
    this.showing = true;
    this.game.show(this.from, this.sequence.slice(0, this.at));
    this.showing = false;
    if (this.at === this.sequence.length) this.running = false;
    this.#changed();
  }

  // The game has gone another way.
  end() {
    clearTimeout(this.timer);
    this.sequence = null;
    this.running = false;
    this.#changed();
  }

  #schedule() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.running) return;
      this.to(this.at + 1);
      if (this.running) this.#schedule();
    }, this.pace ?? this.usual);
  }

  #changed() { this.dispatchEvent(new Event("change")); }
}

export function playerControls(player) {
  const [card, run, slider, position, speed] = ["player", "run", "slider", "position", "speed"].map($);
  const move = (at) => {
    if (player.running) player.pause();
    player.to(at);
  };
  on("run", "click", () => (player.running ? player.pause() : player.run()));
  for (const [id, by] of [["back", -1], ["forth", 1]]) on(id, "click", () => move(player.at + by));
  on("slider", "input", () => move(Number(slider.value)));
  const paceWords = (x) => (x > 1000 ? line("pace-slow", { n: x / 1000 }) : line("pace", { n: Math.round(1000 / x) }));
  speed.append(...PACES.map((x) => new Option(paceWords(x), x)));
  on("speed", "change", () => { player.pace = Number(speed.value); });
  player.addEventListener("change", () => {
    card.hidden = !player.active;
    if (!player.active) return;
    const ended = player.at === player.sequence.length;
    speed.value = player.pace ?? player.usual;
    run.textContent = line(player.running ? "pause" : ended ? "once-more" : "start");
    slider.max = player.sequence.length;
    slider.value = player.at;
    position.textContent = line("position", { k: player.at, m: player.sequence.length });
  });
}
