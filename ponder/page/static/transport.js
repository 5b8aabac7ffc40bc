// Questions to the server of `ponder play`.

import { Failure, answered } from "./asking.js";
import { line } from "./words.js";

// Ask for a task and yield what becomes known, the answer last: `{ end }`, or `{ error }`.
export async function* messages(task, content, signal) {
  const reply = await fetch(`/api/stream/${task}`, {
    method: "POST", signal, body: JSON.stringify(content), headers: { "content-type": "application/json" },
  });
  if (!reply.ok) throw new Failure((await reply.json()).error);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const text of lines) yield JSON.parse(text);
  }
}

// Ask for a task and return its answer; a Failure says in one line why there is none.
export async function ask(task, content, signal) {
  try {
    return await answered(messages(task, content, signal));
  } catch (error) {
    throw error instanceof TypeError ? new Failure(line("no-server")) : error;
  }
}

// The board to begin with, or null, and the boards on offer.
export async function start() { return (await fetch("/api/start")).json(); }
