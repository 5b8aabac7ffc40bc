// Playing a sequence on the board: start and pause, step, a slider, speed.

import { root } from "./host.js";

const SPEEDS = [0.5, 1, 2, 4];
const SLOWEST = 600, QUICKEST = 40, WHOLE = 12000; // milliseconds

export class Player extends EventTarget {
  constructor(game) {
    super();
    this.game = game;
    this.sequence = null;
    this.at = 0;
    this.running = false;
    this.speed = 1;
  }

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
    const pace = Math.min(SLOWEST, Math.max(QUICKEST, WHOLE / this.sequence.length)) / this.speed;
    this.timer = setTimeout(() => {
      if (!this.running) return;
      this.to(this.at + 1);
      if (this.running) this.#schedule();
    }, pace);
  }

  #changed() { this.dispatchEvent(new Event("change")); }
}

// Its buttons, its slider, its speed.
export function playerControls(player) {
  const [card, run, slider, position, speed] = ["player", "run", "slider", "position", "speed"].map((id) => root.getElementById(id));
  const move = (at) => {
    if (player.running) player.pause();
    player.to(at);
  };
  run.addEventListener("click", () => (player.running ? player.pause() : player.run()));
  for (const [id, by] of [["back", -1], ["forth", 1]])
    root.getElementById(id).addEventListener("click", () => move(player.at + by));
  slider.addEventListener("input", () => move(Number(slider.value)));
  speed.append(...SPEEDS.map((x) => new Option(`${x}×`, x, x === 1, x === 1)));
  speed.addEventListener("change", () => { player.speed = Number(speed.value); });
  player.addEventListener("change", () => {
    card.hidden = !player.active;
    if (!player.active) return;
    const ended = player.at === player.sequence.length;
    run.textContent = player.running ? "Pause" : ended ? "Once more" : "Start";
    slider.max = player.sequence.length;
    slider.value = player.at;
    position.textContent = `${player.at} of ${player.sequence.length}`;
  });
}
