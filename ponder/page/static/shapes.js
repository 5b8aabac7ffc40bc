// SVG elements, measured in cells: UNIT units a cell, as in the pictures of `ponder draw`.

const NAMESPACE = "http://www.w3.org/2000/svg";
export const UNIT = 40;

export function svg(name, ...rest) { return filled(document.createElementNS(NAMESPACE, name), ...rest); }

export function element(tag, ...rest) { return filled(document.createElement(tag), ...rest); }

function filled(made, attributes = {}, ...children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function units(cells) { return Math.round(100 * UNIT * cells) / 100; }

function point([x, y]) { return `${units(x)} ${units(y)}`; }

// Paths: a dot at each place (as wide as its stroke), strokes between places, circles and squares.
export function dots(places) { return places.map((at) => `M${point(at)}h.01`).join(""); }

export function strokes(pairs) { return pairs.map(([from, to]) => `M${point(from)}L${point(to)}`).join(""); }

export function circles(places, radius) {
  const r = units(radius), arc = `a${r} ${r} 0 1 0`;
  return places.map(([x, y]) => `M${point([x - radius, y])}${arc} ${2 * r} 0${arc} ${-2 * r} 0`).join("");
}

export function squares(places, side) {
  const s = units(side);
  return places.map(([x, y]) => `M${point([x - side / 2, y - side / 2])}h${s}v${s}h${-s}z`).join("");
}

export function path(d, className) { return svg("path", { d, class: className }); }

// A line of text, its middle at a place; `size` in cells.
export function words([x, y], text, size, className) {
  return svg("text", { x: units(x), y: units(y + 0.355 * size), "font-size": units(size), class: className }, text);
}

export function shortened(name, most) {
  const text = String(name);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
