// What can be taken away: a file, and a picture as SVG or PNG with the colours of the page.

import { root, styled } from "./host.js";
import { UNIT, svg } from "./shapes.js";

const LINE = 0.5; // cells between two lines of words

export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// A picture as the text of a file, with `words` below it.
export function saved(picture, words = "") {
  const copy = picture.cloneNode(true), [x, y, width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  const most = Math.max(20, Math.round(width / UNIT / 0.19)), lines = words.split(" ").reduce((list, word) => {
    const longer = list.length ? `${list.at(-1)} ${word}` : word;
    return longer.length <= most && list.length ? [...list.slice(0, -1), longer] : [...list, word];
  }, []).filter(Boolean);
  const tall = height + UNIT * LINE * (lines.length && lines.length + 1);
  copy.setAttribute("viewBox", [x, y, width, tall].join(" "));
  copy.setAttribute("height", Math.round((Number(copy.getAttribute("height")) * tall) / height));
  const rules = [...root.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText).filter((text) => text.startsWith(".picture"));
  const colours = getComputedStyle(styled);
  const style = rules.join("\n").replace(/var\((--[\w-]+)\)/g, (_, name) => colours.getPropertyValue(name).trim());
  copy.prepend(svg("style", {}, style), root.getElementById("bulb-looks").cloneNode(true),
    svg("rect", { x, y, width, height: tall, fill: colours.getPropertyValue("--bg").trim() }));
  copy.append(...lines.map((line, k) => svg("text", { x: x + width / 2, y: y + height + UNIT * LINE * (k + 0.7), "font-size": 0.34 * UNIT, class: "below" }, line)));
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

export async function pngOf(text, times) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" })), image = new Image();
  try {
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: times * image.width, height: times * image.height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
