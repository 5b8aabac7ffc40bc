// Questions to the server about the board as it stands: the latest wins.
//
// A question that is overtaken is dropped, and with it, at the server, its search. Quick changes
// are asked about at most once in PAUSE milliseconds. Where the server cannot be reached, the
// question is asked again after a while.

const PAUSE = 30;
const RETRY = [300, 1000, 3000];
const SESSION = Array.from(crypto.getRandomValues(new Uint32Array(4)), (x) => x.toString(36)).join("-");

export class Failure extends Error {}

// Ask for a task and return its answer; a Failure says in one line why there is none.
export async function ask(task, content, signal) {
  let reply;
  try {
    reply = await fetch(`/api/${task}`, request(content, signal));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure("the server does not answer; is `ponder play` still running?");
  }
  const answer = await reply.json().catch(() => ({ error: "the server's reply is cut off" }));
  if (!reply.ok) throw new Failure(answer.error);
  return answer;
}

function request(content, signal) {
  return {
    method: "POST", signal, body: JSON.stringify(content),
    headers: { "content-type": "application/json" }, credentials: "omit",
  };
}

// The answer to the board, as it becomes known. Events: `news` (a message, or null for none yet).
export class Answers extends EventTarget {
  #abort = null;
  #timer = 0;
  #last = 0;
  #tries = 0;
  #wanted = null;

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
    const abort = (this.#abort = new AbortController());
    const { board, seconds } = this.#wanted;
    try {
      const content = { board: board.text, timeout: seconds, session: SESSION };
      const reply = await fetch("/api/stream/answer", request(content, abort.signal));
      if (!reply.ok) throw new Failure((await reply.json()).error);
      await this.#read(reply, abort);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#failed(error, abort);
    }
  }

  async #read(reply, abort) {
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "", ended = false;
    for (;;) {
      const { value, done } = await reader.read();
      if (abort.signal.aborted) return;
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.error) throw new Failure(message.error);
        ended ||= Boolean(message.end);
        this.#tries = 0;
        this.#tell({ ...(message.end ?? message), ended: Boolean(message.end) });
      }
    }
    if (!ended) throw new Error("cut off");
  }

  #failed(error, abort) {
    if (this.#abort !== abort) return;
    if (error instanceof Failure) {
      this.#tell({ error: error.message, ended: true });
      return;
    }
    this.#tell({ error: "the server does not answer; trying again", ended: false });
    const wait = RETRY[Math.min(this.#tries++, RETRY.length - 1)];
    this.#timer = setTimeout(() => this.#ask(), wait);
  }

  #tell(message) { this.dispatchEvent(new CustomEvent("news", { detail: message })); }
}
