// Boards from outside: a file that is opened or dropped, a text that is dropped or pasted.

const MOST_BYTES = 500_000;

// `load` is told every text that comes, `say` what cannot be taken.
export function takeIn(load, say) {
  const read = async (file) => {
    if (file.size > MOST_BYTES) say("this file is too large to be a board");
    else load(await file.text());
  };
  const chooser = document.getElementById("file");
  document.getElementById("open").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => {
    const [file] = chooser.files;
    if (file) read(file);
    chooser.value = "";
  });
  const dropping = (on) => document.body.classList.toggle("dropping", on);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    dropping(true);
  });
  document.addEventListener("dragleave", () => dropping(false));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    dropping(false);
    const [file] = event.dataTransfer.files, text = event.dataTransfer.getData("text/plain");
    if (file) read(file);
    else if (text) load(text);
  });
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("textarea, input")) return;
    const text = event.clipboardData.getData("text/plain");
    if (text) load(text);
  });
}
