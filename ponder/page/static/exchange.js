// Boards that come in and go out: files, pasted texts, links, pictures, results.

import { at as $, on, write } from "./dom.js";
import { ask, frame, shares } from "./host.js";
import { dayOf } from "./label.js";
import { hashIn, opened } from "./link.js";
import { PUZZLES } from "./puzzles.js";
import { pictureOf } from "./picture.js";
import { download, pngOf, saved } from "./save.js";
import { PATH, dayWords, line, settledLine } from "./words.js";

const PICTURE = 600;   // pixels of the longer side of a picture
const MOST = 500_000; // bytes of a file, characters of a text
const MOST_DRAWN = 16; // rows and columns of a board that is drawn in circles of text

export class Exchange {
  #examples = {};
  #typed = false; // whether somebody's text stands in the field, not yet used

  constructor(state, address) {
    this.state = state;
    this.address = address;
    takeIn((text) => state.told(() => this.take(text)), (words) => state.say(words));
    on("text", "input", () => { this.#typed = true; });
    on("use-text", "click", async () => {
      $("use-text").ariaBusy = "true";
      await state.told(async () => {
        await this.take($("text").value);
        this.#typed = false;
        this.#text();
      });
      $("use-text").ariaBusy = "false";
    });
    on("as-text", "toggle", () => {
      this.#typed &&= $("as-text").open;
      this.#text();
    });
    on("examples", "change", () => {
      const text = this.#examples[$("examples").value];
      if (text) state.told(() => state.load(text));
      $("examples").value = "";
    });
    $("share").hidden = !shares;
    on("share", "click", () => this.#copy(address.link, line("link")));
    on("share-reason", "click", () => this.#copy(`${address.link};why.${state.refuting.text}`, line("link-reason")));
    on("share-result", "click", () => this.#copy(`${this.resultText}\n${address.link}`, line("link-result")));
    state.addEventListener("change", () => this.#show());
    this.#saves();
  }

  // Offer boards by name.
  offer(examples) {
    this.#examples = examples;
    $("examples").append(...Object.keys(examples).map((name) => new Option(name, name)));
  }

  // Take what somebody opens, drops or pastes: a board, the address of one, a saved result.
  async take(text) {
    if (text.length > MOST) throw new Error(line("too-large"));
    const { state } = this, hash = hashIn(text), result = resultIn(text);
    if (hash) {
      const found = opened(hash);
      return state.receive(found, found.why || found.label?.level);
    }
    if (!result) return state.load(text);
    const { text: saved } = result.board ?? {};
    if (saved) await state.load(saved);
    if (saved && !result.presses) return;
    const found = pressesOf(result, state.board);
    if (!state.isPlay) state.go("solve");
    state.watch(found);
  }

  // A result in a few lines: what was solved, in how many presses, and the board in circles.
  get resultText() {
    const { game, round, puzzle, gradeShown } = this.state, { start, label } = game;
    const title = PUZZLES.find(({ key }) => key === puzzle).title;
    const day = label?.daily && dayWords(dayOf(label.daily), label.riddle ? "long" : "short");
    const name = label?.level ? PATH.shared(label.level) : day ? line(label.riddle ? "daily-riddle" : "daily", { day })
      : label?.grade ? line("graded", { puzzle: title, grade: gradeShown }) : title;
    if (this.state.isRiddle) return settledLine(this.state, name);
    const values = { name, n: game.presses.length, m: round.fewest?.count };
    const isDrawn = start.isGrid && Math.max(start.rows, start.columns) <= MOST_DRAWN;
    const sign = (k) => (!start.isBulb(k) ? "⬛" : start.isLit(k) ? "🟡" : "⚪");
    const signs = Array.from(start.cells, (_, k) => (k % start.columns ? "" : "\n") + sign(k));
    return line(round.fewest?.optimal ? "result-best" : "result", values) + (isDrawn ? signs.join("") : "");
  }

  #show() {
    this.#text();
    if (this.said === this.state.game.now) return;
    write($("shared"), "");
    $("address").hidden = true;
  }

  #text() {
    if ($("as-text").open && !this.#typed && !$("text").matches(":focus")) $("text").value = this.state.board.text;
  }

  async #copy(text, what) {
    this.said = this.state.game.now;
    const address = $("address");
    let isCopied = true;
    try { await navigator.clipboard.writeText(text); } catch { isCopied = false; }
    Object.assign(address, { value: text, hidden: isCopied });
    if (!isCopied) {
      address.focus();
      address.select();
    }
    write($("shared"), line(isCopied ? "copied" : "to-copy", { what }));
  }

  #saves() {
    const { state } = this, shown = () => (state.board.bulbs ? state.board : state.game.start);
    on("save-board", "click", () => download(shown().isGrid ? "board.txt" : "board.json", shown().text, "text/plain"));
    on("save-result", "click", () => state.told(async () => {
      state.say(line("solving"));
      const board = shown(), result = await ask("solve", { board: board.text, timeout: 30 });
      saveResult(result, board);
      state.say("");
    }));
    on("save-reason", "click", () => saveResult(state.refuting.judged.result, state.refuting.start));
    on("save-certificate", "click", () => state.told(async () => {
      const { certificate } = await ask("certificate", state.refuting.content);
      download("certificate.v", certificate, "text/plain");
    }));
    const text = () => saved(pictureOf(shown(), { presses: $("show-presses").checked ? state.live.marks : [] }, PICTURE));
    on("save-picture", "click", () => download("board.svg", text(), "image/svg+xml"));
    on("save-png", "click", async () => download("board.png", await pngOf(text(), 2), "image/png"));
    on("save-animation", "click", () => state.told(async () => {
      const { game } = state, isDone = state.board.solved && game.presses.length > 0; // then what was played
      const board = isDone ? game.start : state.board, found = isDone ? game.presses : await state.sequence();
      if (!found) return;
      const { svg } = await ask("animation", { board: board.text, sequence: found.map((k) => board.label(k)) });
      download("order.svg", svg, "image/svg+xml");
    }));
  }
}

// `load` is told every text that comes, `say` what cannot be taken.
function takeIn(load, say) {
  const read = async (file) => {
    if (file.size > MOST) say(line("too-large"));
    else load(await file.text());
  };
  const chooser = $("file");
  on("open", "click", () => chooser.click());
  chooser.addEventListener("change", () => {
    const [file] = chooser.files;
    if (file) read(file);
    chooser.value = "";
  });
  for (const name of ["dragover", "dragleave", "drop"]) frame.addEventListener(name, (event) => {
    frame.classList.toggle("dropping", name === "dragover");
    if (name !== "dragleave") event.preventDefault();
    if (name !== "drop") return;
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

// Return the result that a text holds; null where it holds something else.
function resultIn(text) {
  let content;
  try { content = JSON.parse(text); } catch { return null; }
  return String(content?.schema).startsWith("ponder.result/") ? content : null;
}

// Save a result with its board, so that it can be opened again by itself.
function saveResult(result, board) {
  download("result.json", JSON.stringify({ ...result, board: { ...result.board, text: board.text } }, null, 1), "application/json");
}

// Return the presses of a result as cells; an Error where they do not solve this board by its rule.
function pressesOf({ presses }, board) {
  if (!Array.isArray(presses)) throw new Error(line("no-presses"));
  const cells = presses.map((label) => board.cellOf(label));
  let state = board;
  for (const k of cells) state = k >= 0 && k < board.count && state?.isLegal(k) ? state.pressed(k) : null;
  if (!state?.solved) throw new Error(line("another"));
  return cells;
}
