// Questions about the board as it stands: the latest wins.
//
// A question that is overtaken is dropped, and with it its search. Quick changes are asked about once
// in PAUSE milliseconds. Where the server cannot be reached, the question is asked again later.

import { Failure } from "./asking.js";
import { messages } from "./host.js";
import { line } from "./words.js";

const PAUSE = 30;
const RETRY = [300, 1000, 3000];

// The answer to the board, as it becomes known: `tell` hears each message.
export class Answers {
  #abort = null;
  #timer = 0;
  #last = 0;
  #tries = 0;
  #wanted = null;

  constructor(tell) { this.tell = tell; }

  // Begin to ask about a board; whatever was asked before is dropped.
  about(board, seconds) {
    this.#abort?.abort();
    this.#abort = null;
    clearTimeout(this.#timer);
    this.#wanted = { board, seconds };
    this.#tries = 0;
    const wait = Math.max(0, this.#last + PAUSE - performance.now());
    this.#timer = setTimeout(() => this.#ask(), wait);
  }

  // Ask once more at once: the machine has woken up, or the network is back.
  again() {
    if (this.#wanted && this.#tries) {
      clearTimeout(this.#timer);
      this.#ask();
    }
  }

  stop() {
    this.#abort?.abort();
    clearTimeout(this.#timer);
  }

  async #ask() {
    this.#last = performance.now();
    const abort = (this.#abort = new AbortController()), { board, seconds } = this.#wanted;
    let ended = false;
    try {
      for await (const message of messages("answer", { board: board.text, timeout: seconds }, abort.signal)) {
        if (abort.signal.aborted) return;
        if (message.error) throw new Failure(message.error);
        ended ||= Boolean(message.end);
        this.#tries = 0;
        this.tell({ ...(message.end ?? message), ended: Boolean(message.end) });
      }
      if (!ended && !abort.signal.aborted) throw new Error("cut off");
    } catch (error) {
      if (!abort.signal.aborted) this.#failed(error, abort);
    }
  }

  #failed(error, abort) {
    if (this.#abort !== abort) return;
    if (error instanceof Failure) return this.tell({ error: error.message, ended: true });
    this.tell({ error: line("no-answer"), ended: false });
    const wait = RETRY[Math.min(this.#tries++, RETRY.length - 1)];
    this.#timer = setTimeout(() => this.#ask(), wait);
  }
}
