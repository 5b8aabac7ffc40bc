// Keys that act wherever the focus is, but in a field that takes text.

import { frame } from "./host.js";
import { at as $, write } from "./dom.js";
import { line } from "./words.js";

const FIELDS = "textarea, input[type=text], select, dialog";

export function keyWords({ place, isRiddle, board }) {
  write($("keys"), line(`keys-${!isRiddle ? place : board.hasLineBits ? "riddle-lines" : "riddle"}`));
}

export function listen(state) {
  const keys = {
    h: () => state.isDraw || state.hinting.next(),
    i: () => state.isRiddle && !state.refuting.active && state.refute(),
    c: () => state.refuting.marks && state.judge(),
    u: () => state.undo(),
    r: () => state.redo(),
    n: () => state.isPlay && state.next(),
    a: () => state.isPlay && state.startAgain(),
  };
  frame.addEventListener("keydown", (event) => {
    if (event.altKey || event.target.closest?.(FIELDS)) return;
    const key = event.key.toLowerCase(), held = event.ctrlKey || event.metaKey;
    if (held && key === "z" && !event.shiftKey) state.undo();
    else if (held && (key === "y" || key === "z")) state.redo();
    else if (!held && Object.hasOwn(keys, key)) keys[key]();
    else return;
    event.preventDefault();
  });
}
