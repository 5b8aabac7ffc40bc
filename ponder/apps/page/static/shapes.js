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

// Words in the middle of where the context stands.
export function words(context, text, size, colour, weight = 600) {
  context.font = `${weight} ${size}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(text, 0, 0.05 * size);
}
