// The start board in the browser's address: written as it changes, read at the start.

import { labelText } from "./label.js";
import { hashOf, opened } from "./link.js";
import { paced } from "./pace.js";
import { keepGame } from "./records.js";

const PAUSE = 180; // browsers allow some 200 changes in 30 seconds

export class Address {
  #last = location.hash; // what was read or written last

  // `more` gives what is kept for a reload: the moments of the game, and where one was.
  constructor(game, more) {
    this.game = game;
    this.more = more;
    this.write = paced(() => this.#put(), PAUSE);
    for (const name of ["beforeunload", "pagehide"])
      window.addEventListener(name, () => this.#put());
  }

  // What was kept at the last writing, before a reload perhaps.
  get kept() { return history.state ?? {}; }

  // Tell when somebody else has put another board there. Until it is taken nothing is written: the
  // board that it replaces has no place in the address any more.
  watch(changed) {
    window.addEventListener("hashchange", () => {
      const isOther = location.hash !== this.hash;
      if (isOther) changed();
      this.#last = location.hash;
      if (isOther) this.write();
    });
  }

  get hash() { return hashOf(this.game.start, labelText(this.game.label)); }

  get link() {
    this.#put();
    return `${location.origin}${location.pathname}${this.hash}`;
  }

  // Return what is in the address (`opened`), null where it has no board; an Error says what is wrong with it.
  read() {
    const found = opened(location.hash);
    return found.board && found;
  }

  #put() {
    if (location.hash !== this.#last) return; // somebody has just put another board there
    const more = this.more(), { hash } = this, isNew = more.playing && this.#last && hash !== this.#last;
    keepGame(more);
    try { // `Back` leads to the board before; the address has no token
      history[isNew ? "pushState" : "replaceState"](more, "", location.pathname + hash);
    } catch { return; } // the browser refuses: the next change tries again
    this.#last = location.hash;
  }
}
