// The shapes of which a board is drawn: bulbs, discs and circles.

// Draw something once, to be copied often: `draw` gets a context with its origin in the middle.
export function sprite(draw, { cell, colours, scale }) {
  const side = Math.ceil(cell);
  const canvas = new OffscreenCanvas(side, side), context = canvas.getContext("2d");
  context.translate(side / 2, side / 2);
  draw(context, cell, colours, scale);
  return canvas;
}

// Lit: a full, warm disc with a soft glow.
export function litBulb(context, side, colours, scale) {
  const halo = context.createRadialGradient(0, 0, 0.3 * side, 0, 0, 0.5 * side);
  halo.addColorStop(0, colours.glow);
  halo.addColorStop(1, `${colours.glow.slice(0, 7)}00`); // not "transparent", which is black
  context.fillStyle = halo;
  context.fillRect(-side / 2, -side / 2, side, side);
  const face = context.createRadialGradient(-0.1 * side, -0.13 * side, 0.02 * side, 0, 0, 0.37 * side);
  face.addColorStop(0, colours["lit-core"]);
  face.addColorStop(0.55, colours.lit);
  face.addColorStop(1, colours["lit-edge"]);
  disc(context, 0.36 * side, face);
  circle(context, 0.36 * side, colours["lit-rim"], Math.max(scale, 0.022 * side));
}

// Unlit: a ring.
export function unlitBulb(context, side, colours, scale) {
  const face = context.createRadialGradient(0.06 * side, 0.1 * side, 0.05 * side, 0, 0, 0.34 * side);
  face.addColorStop(0, colours["unlit-core"]);
  face.addColorStop(1, colours.unlit);
  disc(context, 0.33 * side, face);
  circle(context, 0.335 * side, colours.ring, Math.max(1.1 * scale, 0.045 * side));
}

export function disc(context, radius, fill) {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
}

export function circle(context, radius, colour, width) {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

// A name that has room for some signs.
export function shortened(name, most) {
  const text = String(name);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

// A button of a wiring; its edge is dashed while the rule forbids it.
export function button(context, side, colours, scale, name, isReady) {
  const half = 0.31 * side, text = shortened(name, 7), most = 0.8 * side;
  context.font = `600 ${0.3 * side}px system-ui, sans-serif`;
  const wide = context.measureText(text).width, size = Math.max(8.5 * scale, 0.3 * side * Math.min(1, most / wide));
  const across = Math.max(half, Math.min(wide, most) / 2 + 0.09 * side);
  context.beginPath();
  context.roundRect(-across, -half, 2 * across, 2 * half, 0.3 * half);
  context.fillStyle = colours.card;
  context.fill();
  context.strokeStyle = isReady ? colours.ink : colours.ring;
  context.lineWidth = Math.max(1.2 * scale, 0.035 * side);
  context.setLineDash(isReady ? [] : [0.08 * side, 0.07 * side]);
  context.stroke();
  context.setLineDash([]);
  words(context, text, size, isReady ? colours.ink : colours.soft);
}

// Words in the middle of where the context stands.
export function words(context, text, size, colour, weight = 600) {
  context.font = `${weight} ${size}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(text, 0, 0.05 * size);
}
