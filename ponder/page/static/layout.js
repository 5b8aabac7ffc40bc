// How large the board is: it fills its room. Where its bulbs would be too small to be pressed, it
// can be zoomed: by wheel, by two fingers, by the buttons; then it scrolls within its room.

import { at as $, on } from "./dom.js";
import { frame as page, tall } from "./host.js";

const LARGEST_CELL = 132, LARGEST_SHARE = 0.15, SMALLEST_CELL = 3, HANDY_CELL = 16, CLOSE_CELL = 44; // pixels
const FINGER_CELL = 22; // what is handy where a finger presses
const LEAST_ROOM = 200;
const SQUARE = 420; // of a graph, whose bulbs are at any place
const STEP = 1.4; // of the buttons

export class Layout {
  #laid = "";
  #zoom = 1;
  #shape = "";

  // `board()` is what is laid out, `hasMargins()` whether line bits stand beside it.
  constructor(picture, board, hasMargins) {
    this.picture = picture;
    this.board = board;
    this.hasMargins = hasMargins;
    this.pane = $("pane");
    this.coarse = matchMedia("(pointer: coarse)");
    on("zoom-in", "click", () => this.zoomBy(STEP));
    on("zoom-out", "click", () => this.zoomBy(1 / STEP));
    on("zoom-fit", "click", () => this.zoomBy(0));
    this.pane.addEventListener("wheel", (event) => {
      if (!this.zooms) return;
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY / 400), event);
    }, { passive: false });
    this.#pinches();
  }

  // Lay the board out anew if anything about it has changed; `scroll` goes where it is to be seen.
  lay(scroll = () => {}) {
    const board = this.board(), { pane } = this, { shape } = board;
    if (shape !== this.#shape) [this.#shape, this.#zoom] = [shape, 1];
    const bits = board.hasLineBits && this.hasMargins();
    const share = bits ? 0.72 : 0.06; // of a cell, for the margin
    const top = pane.getBoundingClientRect().top - page.getBoundingClientRect().top;
    const least = board.isGrid ? LEAST_ROOM : Math.min(pane.clientWidth, SQUARE);
    const room = Math.max(least, tall() - top - this.#below());
    const fitting = Math.min(pane.clientWidth / (board.width + 2 * share), room / (board.height + 2 * share));
    const scale = window.devicePixelRatio || 1, whole = (x) => Math.floor(x * scale) / scale; // pixels of the screen
    const fit = Math.max(SMALLEST_CELL, Math.min(Math.max(LARGEST_CELL, LARGEST_SHARE * tall()), whole(fitting)));
    this.zooms = fit < (this.coarse.matches ? FINGER_CELL : HANDY_CELL);
    this.most = Math.max(1, CLOSE_CELL / fit);
    this.#zoom = this.zooms ? Math.min(this.#zoom, this.most) : 1;
    const cell = whole(fit * this.#zoom);
    const margin = whole(Math.max(bits ? 12 : 2, share * cell));
    const key = [shape, cell, margin, scale, room].join();
    if (key === this.#laid) return;
    this.#laid = key;
    const width = board.width * cell, height = board.height * cell;
    pane.style.maxHeight = this.zooms ? `${room}px` : "";
    Object.assign($("frame").style, { width: `${width + 2 * margin}px`, height: `${height + 2 * margin}px` });
    $("frame").style.setProperty("--margin", `${margin}px`);
    pane.classList.toggle("scrolls", width + 2 * margin > pane.clientWidth || (this.zooms && height + 2 * margin > room));
    $("zoom").hidden = !this.zooms;
    this.picture.fit(board, cell, margin / cell);
    scroll();
  }

  // Make the bulbs larger about a point; 0: the whole board.
  zoomBy(factor, about) {
    const { pane } = this, box = pane.getBoundingClientRect(), board = $("frame"), before = board.getBoundingClientRect();
    const { clientX: x, clientY: y } = about ?? { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    this.#zoom = factor ? Math.max(1, Math.min(this.most, this.#zoom * factor)) : 1;
    this.lay(() => {
      const after = board.getBoundingClientRect();
      pane.scrollLeft += after.left + ((x - before.left) / before.width) * after.width - x;
      pane.scrollTop += after.top + ((y - before.top) / before.height) * after.height - y;
    });
  }

  // The height of what stands below the board. Of what is said there it is the room kept for it, however
  // long a sentence is: the board stays where it is under a hand.
  #below() {
    const { pane } = this, pixels = (place, what) => parseFloat(getComputedStyle(place)[what]) || 0;
    let height = 12 + pixels(page, "paddingBottom"); // for a bar at the bottom
    for (let place = pane.nextElementSibling; place; place = place.nextElementSibling) {
      if (!place.matches(".zoom:not([hidden]), .below, .tools") || place.offsetLeft > pane.offsetLeft + pane.offsetWidth / 2) continue;
      height += pixels(place, "marginTop") + (place.matches(".below") ? pixels(place, "minHeight") : place.offsetHeight);
    }
    return height;
  }

  // Two fingers: the browser is kept from taking them for itself.
  #pinches() {
    let last = 0;
    const hear = (event) => {
      if (!this.zooms || event.touches.length !== 2) return;
      event.preventDefault();
      const [a, b] = event.touches, now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      if (event.type === "touchmove")
        this.zoomBy(now / last, { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 });
      last = now;
    };
    for (const name of ["touchstart", "touchmove"]) this.pane.addEventListener(name, hear, { passive: false });
  }
}
