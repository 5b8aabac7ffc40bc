// What can be taken away: the board as text, a result, a picture, an animation.

const CELL = 40, GAP = 20;

export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// A picture as SVG; `dots` are the cells of a press set.
export function picture(board, dots = []) {
  const shapes = bulbs(board, (k) => [circle(board, k, 14, board.isLit(k) ? "l" : "u")]);
  return svg(board, [...shapes, ...dots.map((k) => circle(board, k, 4, "d"))]);
}

// A sequence of presses as an SVG that plays for ever, `seconds` a press.
export function animation(board, sequence, seconds = 0.6) {
  const states = [board];
  for (const k of sequence) states.push(states.at(-1).pressed(k));
  const last = states.at(-1), rest = 3;
  const frames = states.length + rest;
  const shown = (k) => Array.from({ length: frames }, (_, t) => (states[t] ?? last).isLit(k));
  const animate = (values) => `<animate attributeName="opacity" calcMode="discrete" dur="${(frames * seconds).toFixed(2)}s" repeatCount="indefinite" values="${values.join(";")}"/>`;
  const shapes = bulbs(board, (k) => {
    const lit = shown(k);
    if (lit.every((x) => x === lit[0])) return [circle(board, k, 14, lit[0] ? "l" : "u")];
    return [circle(board, k, 14, "u"), circle(board, k, 14, "l", animate(lit.map(Number)))];
  });
  const rings = sequence.map((k, t) =>
    circle(board, k, 18, "n", animate(Array.from({ length: frames }, (_, at) => (at === t ? 1 : 0)))));
  return svg(board, [...shapes, ...rings]);
}

function bulbs(board, draw) {
  return Array.from(board.cells.keys()).filter((k) => board.isBulb(k)).flatMap(draw);
}

function circle(board, k, radius, kind, inside = "") {
  const x = GAP + CELL * ((k % board.columns) + 0.5), y = GAP + CELL * (Math.floor(k / board.columns) + 0.5);
  return `<circle class="${kind}" cx="${x}" cy="${y}" r="${radius}">${inside}</circle>`;
}

function svg(board, shapes) {
  const width = board.columns * CELL + 2 * GAP, height = board.rows * CELL + 2 * GAP;
  const style = ".p{fill:#f6f5f1}.l{fill:#f7bd3c;stroke:#b97b0e;stroke-width:1.2}.u{fill:#dfe0dd;stroke:#78818b;stroke-width:1.8}" +
    ".d{fill:#b93a08}.n{fill:none;stroke:#b93a08;stroke-width:2.5}" +
    "@media(prefers-color-scheme:dark){.p{fill:#10141a}.u{fill:#171d25;stroke:#6d7885}}";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
    `<title>${board.rows} by ${board.columns} board</title><style>${style}</style>` +
    `<rect class="p" width="100%" height="100%"/>\n${shapes.join("\n")}\n</svg>\n`;
}
