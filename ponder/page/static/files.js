// Boards from outside: a file that is opened or dropped, a text that is dropped or pasted.

import { frame, root } from "./host.js";
import { line } from "./words.js";

export const MOST = 500_000; // bytes of a file, characters of a text

// `load` is told every text that comes, `say` what cannot be taken.
export function takeIn(load, say) {
  const read = async (file) => {
    if (file.size > MOST) say(line("too-large"));
    else load(await file.text());
  };
  const chooser = root.getElementById("file");
  root.getElementById("open").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => {
    const [file] = chooser.files;
    if (file) read(file);
    chooser.value = "";
  });
  const dropping = (on) => frame.classList.toggle("dropping", on);
  frame.addEventListener("dragover", (event) => {
    event.preventDefault();
    dropping(true);
  });
  frame.addEventListener("dragleave", () => dropping(false));
  frame.addEventListener("drop", (event) => {
    event.preventDefault();
    dropping(false);
    const [file] = event.dataTransfer.files, text = event.dataTransfer.getData("text/plain");
    if (file) read(file);
    else if (text) load(text);
  });
  frame.addEventListener("paste", (event) => {
    if (event.target.closest?.("textarea:not([readonly]), input[type=text]")) return;
    const text = event.clipboardData.getData("text/plain");
    if (text) load(text);
  });
}
