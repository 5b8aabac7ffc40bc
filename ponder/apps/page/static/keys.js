// Keys that act wherever the focus is, but in a field that takes text.

import { frame } from "./host.js";
import { at as $, write } from "./dom.js";

const FIELDS = "textarea, input[type=text], select, dialog";
const WORDS = {
  play: "Arrows move, Enter presses. H hint, U undo, R redo, N new board or next, A again.",
  solve: "Arrows move, Enter presses. H hint, U undo, R redo. Drop or paste a board, its address or a saved result anywhere.",
  draw: "Arrows move, Enter toggles, Delete cuts a hole. Drag to paint. Drop or paste a board, its address or a saved result anywhere.",
};

export function keyWords(place) { write($("keys"), WORDS[place]); }

export function listen(state) {
  const { game } = state;
  const keys = {
    h: () => state.isDraw || state.hint(),
    u: () => game.undo(),
    r: () => game.redo(),
    n: () => state.isPlay && state.fresh(),
    a: () => state.isPlay && state.startAgain(),
  };
  frame.addEventListener("keydown", (event) => {
    if (event.altKey || event.target.closest?.(FIELDS)) return;
    const key = event.key.toLowerCase(), held = event.ctrlKey || event.metaKey;
    if (held && key === "z" && !event.shiftKey) game.undo();
    else if (held && (key === "y" || key === "z")) game.redo();
    else if (!held && Object.hasOwn(keys, key)) keys[key]();
    else return;
    event.preventDefault();
  });
}
