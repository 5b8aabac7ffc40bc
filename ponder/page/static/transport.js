// Questions to the server of `ponder play`.

import { Failure } from "./failure.js";
import { line } from "./words.js";

// Ask for a task and return its answer; a Failure says in one line why there is none.
export async function ask(task, content, signal) {
  let reply;
  try {
    reply = await fetch(`/api/${task}`, request(content, signal));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(line("no-server"));
  }
  const answer = await reply.json().catch(() => ({ error: line("cut-off") }));
  if (!reply.ok) throw new Failure(answer.error);
  return answer;
}

// Ask for a task and yield what becomes known, the answer last: `{ end }`, or `{ error }`.
export async function* messages(task, content, signal) {
  const reply = await fetch(`/api/stream/${task}`, request(content, signal));
  if (!reply.ok) throw new Failure((await reply.json()).error);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

// The board to begin with, or null, and the boards on offer.
export async function start() { return (await fetch("/api/start")).json(); }

function request(content, signal) {
  return {
    method: "POST", signal, body: JSON.stringify(content),
    headers: { "content-type": "application/json" }, credentials: "same-origin",
  };
}
