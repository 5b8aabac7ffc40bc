// A board with its marks on a canvas of its own, as large as one wants, with a sentence below.

import { coloursOf } from "./drawing.js";
import { drawOver, drawUnder } from "./marks.js";
import { button, litBulb, sprite, unlitBulb } from "./shapes.js";

const LARGEST_CELL = 96;

// Draw a board: `side` is what it may measure in pixels, `words` stand below it.
export function drawPicture(canvas, board, marks = {}, { side, words = "", next } = {}) {
  const share = board.hasLineBits && marks.lines ? 0.72 : 0.2;
  const cell = Math.max(4, Math.min(LARGEST_CELL, Math.floor(side / (Math.max(board.width, board.height) + 2 * share))));
  const margin = Math.round(share * cell), width = Math.round(board.width * cell) + 2 * margin, height = Math.round(board.height * cell) + 2 * margin;
  const place = {
    board, cell, margin, scale: cell / 40, colours: coloursOf(), marks: { ...marks, next }, layers: {},
    corner: (k) => board.middle(k).map((at) => margin + (at - 0.5) * cell),
    middle: (k) => board.middle(k).map((at) => margin + at * cell),
  };
  if (!board.hasLineBits) delete place.marks.lines;
  for (const name of ["under", "over"]) place.layers[name] = new OffscreenCanvas(width, height);
  drawUnder(place);
  drawOver(place);
  const context = canvas.getContext("2d");
  const size = Math.max(15, Math.round(Math.max(width, side * 0.6) / 32)), lines = wrapped(context, words, size, Math.max(width, side * 0.6) - 2 * size);
  canvas.width = lines.length ? Math.max(width, side * 0.6) : width;
  canvas.height = height + (lines.length ? (lines.length + 1) * 1.4 * size : 0);
  context.fillStyle = place.colours.bg;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const left = Math.round((canvas.width - width) / 2);
  context.drawImage(place.layers.under, left, 0);
  const bulbs = [unlitBulb, litBulb].map((draw) => sprite(draw, place));
  for (let k = 0; k < board.count; k++) {
    const [x, y] = place.corner(k);
    if (board.isButton(k)) {
      context.save();
      context.translate(left + x + cell / 2, y + cell / 2);
      button(context, cell, place.colours, place.scale, board.label(k), board.isLegal(k));
      context.restore();
    } else if (board.isBulb(k)) context.drawImage(bulbs[Number(board.isLit(k))], left + x, y);
  }
  context.drawImage(place.layers.over, left, 0);
  context.font = `500 ${size}px system-ui, sans-serif`;
  context.fillStyle = place.colours.ink;
  context.textAlign = "center";
  lines.forEach((line, k) => context.fillText(line, canvas.width / 2, height + (k + 1) * 1.4 * size));
  return canvas;
}

// A text in lines of a width.
function wrapped(context, text, size, width) {
  context.font = `500 ${size}px system-ui, sans-serif`;
  const lines = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
