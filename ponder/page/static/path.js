// The path: the level that is played, with its idea above the board, and the map of all levels.

import { at as $, on, write } from "./dom.js";
import { shares } from "./host.js";
import { CHAPTERS, LESSONS } from "./lessons.js";
import { LEVELS } from "./levels.js";
import { doneLevels, isHelped } from "./records.js";
import { element } from "./shapes.js";
import { PATH } from "./words.js";

export class Path {
  #links = []; // by level, once the map has been shown

  constructor(state) {
    this.state = state;
    $("path").hidden = !shares; // a notebook has no addresses
    on("path", "click", () => {
      if (!state.level) state.walk();
      else this.#links[state.level - 1].focus();
    });
    on("leave", "click", () => state.leave());
    on("own-board", "click", () => state.go("draw"));
  }

  // `isOver`: whether the board is lit, or its impossibility proved.
  show(isOver) {
    const { level } = this.state;
    for (const id of ["map", "leave", "lesson", "level"]) $(id).hidden = !level;
    for (const id of ["puzzles", "riddles", "board-card", "answers"]) $(id).hidden = level > 0;
    if (!level) return;
    const { chapter, asks, presses } = LEVELS[level - 1], { idea, after } = LESSONS[level - 1], done = doneLevels(), isLast = level === LEVELS.length;
    write($("lesson-name"), PATH.title(level, LEVELS.length, CHAPTERS[chapter - 1]));
    write($("idea"), isOver ? after : idea);
    write($("level-name"), PATH.level(level));
    write($("asks"), isOver && isLast ? PATH.end : asks === "light" ? PATH.light(presses) : PATH.riddle);
    write($("star"), PATH.star(asks, done.get(level), isHelped(level)));
    $("path-end").hidden = !(isOver && isLast);
    this.#map(done);
  }

  #map(done) {
    if (!this.#links.length) this.#draw();
    this.#links.forEach((link, k) => {
      const level = k + 1, star = done.get(level), isHere = level === this.state.level;
      link.className = star ? "star" : done.has(level) ? "done" : "";
      link.ariaCurrent = isHere ? "step" : null;
      link.ariaDescription = done.has(level) ? (star ? PATH.starred : PATH.solved) : null;
    });
    write($("tally"), PATH.tally(done.size, LEVELS.length, [...done.values()].filter(Boolean).length));
  }

  #draw() {
    const chapters = CHAPTERS.map((name, chapter) => {
      const links = LEVELS.flatMap((one, k) => (one.chapter === chapter + 1
        ? [element("a", { href: `#level=${k + 1}`, "aria-label": PATH.level(k + 1) }, k + 1)] : []));
      this.#links.push(...links);
      return element("section", {}, element("h3", {}, name), element("ol", {}, ...links.map((link) => element("li", {}, link))));
    });
    const about = element("p", { class: "why" }, element("span", { id: "tally" }), " · ", element("a", { href: "ideas.html" }, PATH.ideas));
    $("map").replaceChildren(element("h2", {}, PATH.name), ...chapters, about);
  }
}
