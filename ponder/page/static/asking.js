// Questions answered by messages: from a worker, or from the kernel of a notebook.
//
// `begin(task, content, tell)` puts a question; it returns what ends it early. `tell` hears what is
// known so far; at last `{ end }`, or `{ error }`.

// Why there is no answer: one line for people.
export class Failure extends Error {}

export class Asking {
  constructor(begin) { this.begin = begin; }

  // Ask for a task and yield what becomes known, the answer last.
  async *messages(task, content, signal) {
    const said = [];
    let wake = () => {}, over = false;
    const left = () => wake();
    signal?.addEventListener("abort", left);
    const stop = this.begin(task, content, (message) => { said.push(message); wake(); });
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
      if (!over) stop();
    }
  }

  ask(...words) { return answered(this.messages(...words)); }
}

// Return the answer at the end of messages; a Failure says in one line why there is none.
export async function answered(messages) {
  for await (const { end, error } of messages) {
    if (error) throw new Failure(error);
    if (end) return end;
  }
  throw new DOMException("not wanted any more", "AbortError");
}
