// A graph or a wiring as a board: bulbs at places, joined by wires. A press of a bulb of a graph
// toggles it and the bulbs that a wire joins to it. On a wiring buttons are pressed, each toggles
// the bulbs to which its wires lead, and one that has a seat hears the rule of that bulb.
//
// Bulbs have the numbers from 0 on, the buttons follow. `plan` says what never changes:
//
//   names   of the bulbs, then of the buttons: words or whole numbers
//   spots   where each of them lies: [x, y] on a lattice of SIDE × SIDE points
//   wires   pairs of numbers; of a wiring a button and a bulb
//   seats   of a wiring, by button: the bulb whose state the rule asks for, or −1; null of a graph

import { Board, HOLE, LIT, UNLIT } from "./board.js";
import { line } from "./words.js";

export const SIDE = 256, MOST_PLACES = 100;
const FEWEST_CELLS = 3, MOST_CELLS = 20; // across the board, between the middles of the outer bulbs
const EDGE = 0.7;                        // cells between the outer middles and the edge
const REACH = 0.55;                      // cells from a middle: what a hand means by it

export class GraphBoard extends Board {
  constructor(plan, cells, options = {}) {
    super(1, cells.length, cells, { ...options, pattern: plan.seats ? "wiring" : "graph" });
    this.plan = plan;
    this.near = (plan.near ??= nearOf(plan));
    this.across = (plan.across ??= Math.max(FEWEST_CELLS, Math.min(MOST_CELLS, Math.ceil((SIDE - 1) / between(plan.spots)))));
  }

  made(cells, options) { return new GraphBoard(this.plan, cells, options); }

  get isGrid() { return false; }
  get isWiring() { return this.plan.seats !== null; }
  get count() { return this.plan.spots.length; }
  get width() { return this.across + 2 * EDGE; }
  get height() { return this.width; }
  get never() { return this.isWiring ? undefined : super.never; }
  get shape() { return JSON.stringify([this.size, this.plan.spots, this.plan.wires, this.plan.seats]); }
  get sizeWords() {
    if (this.isWiring) return line("size-wiring", { n: this.size, m: this.count - this.size });
    return line("size-graph", { n: this.size, m: this.plan.wires.length });
  }
  get ruleKind() { return this.isWiring ? "wiring" : "graph"; }
  get pressable() { return Array.from(this.plan.spots.keys()).slice(this.isWiring ? this.size : 0).filter((k) => this.isBulb(k)); }
  get wires() { return this.plan.wires.filter((ends) => ends.every((k) => this.isBulb(k))); }

  isBulb(k) { return k >= 0 && k < this.count && this.cells[k] !== HOLE; }
  isButton(k) { return k >= this.size; }

  toggled(k) { return this.isWiring ? (this.isButton(k) ? this.near[k] : []) : [k, ...this.near[k]].filter((other) => this.isBulb(other)); }

  // The bulb whose state the rule asks for; −1: none.
  seat(k) { return this.isWiring ? this.plan.seats[k - this.size] ?? -1 : k; }

  isLegal(k) {
    if (!this.isBulb(k) || (this.isWiring && !this.isButton(k))) return false;
    return this.rule === "any" || this.seat(k) < 0 || (this.rule === "lit") === this.isLit(this.seat(k));
  }

  refusal(k) {
    if (this.isWiring && !this.isButton(k)) return line("no-button", { place: this.nameOf(k) });
    if (!this.isWiring || this.isLegal(k)) return super.refusal(k);
    const seat = this.seat(k);
    return line(`seat-${this.rule}`, { seat: this.nameOf(seat), state: super.stateOf(seat), button: this.nameOf(k) });
  }

  middle(k) { return this.plan.spots[k].map((x) => EDGE + (x * this.across) / (SIDE - 1)); }

  placeAt(x, y) {
    const far = (k) => Math.hypot(...this.middle(k).map((at, axis) => at - [x, y][axis]));
    const nearest = this.nearest(far);
    return nearest !== null && far(nearest) <= REACH ? nearest : null;
  }

  // The spot of the lattice at a point of the board.
  spotAt(x, y) { return [x, y].map((at) => Math.max(0, Math.min(SIDE - 1, Math.round(((at - EDGE) * (SIDE - 1)) / this.across)))); }

  // Where an arrow leads: to what is nearest in that direction.
  step(k, [down, right]) {
    const [x, y] = this.plan.spots[k];
    return this.nearest((other) => {
      const [u, v] = this.plan.spots[other], along = (u - x) * right + (v - y) * down, aside = Math.abs((u - x) * down) + Math.abs((v - y) * right);
      return along > 0 && 3 * along >= aside ? along + 2 * aside : Infinity;
    });
  }

  nearest(far) {
    const all = this.plan.spots.map((_, k) => (this.isBulb(k) ? far(k) : Infinity)), least = Math.min(...all);
    return least < Infinity ? all.indexOf(least) : null;
  }

  label(k) { return this.plan.names[k]; }
  cellOf(label) { return this.plan.names.indexOf(label, this.isWiring ? this.size : 0); }
  bulbOf(label) { return this.plan.names.slice(0, this.size).indexOf(label); }

  nameOf(k) { return line(this.isButton(k) ? "button" : "bulb", { name: this.plan.names[k] }); }
  stateOf(k) {
    if (!this.isButton(k)) return super.stateOf(k);
    return this.isLegal(k) ? "ready" : line("blocked", { place: this.nameOf(this.seat(k)), state: super.stateOf(this.seat(k)) });
  }
  moreOf(k) {
    const names = this.near[k].filter((other) => this.isBulb(other)).map((other) => this.plan.names[other]).join(", ");
    return names ? line(this.isWiring && !this.isButton(k) ? "wired-to-buttons" : "wired", { names }) : line("no-wires");
  }

  get text() {
    const { plan, size, goal } = this, { names } = plan, left = (list) => Array.from(list).filter((_, k) => this.isBulb(k));
    const named = left(names.slice(0, size)), lights = countsUp(named) ? named.length : named;
    const states = { lit: left(this.cells), rule: this.rule, goal: goal === "grid" ? left(this.target) : goal, positions: left(plan.spots) };
    if (!this.isWiring) return JSON.stringify({ nodes: lights, edges: this.wires.map((ends) => ends.map((k) => names[k])), ...states }) + "\n";
    const buttons = plan.seats.map((at, k) => ({
      ...(names[size + k] === k ? {} : { name: names[size + k] }),
      toggles: this.near[size + k].map((light) => names[light]), ...(at < 0 ? {} : { at: names[at] }),
    }));
    return JSON.stringify({ lights, buttons, ...states }) + "\n";
  }

  // From the JSON in which the engine writes it: with all places.
  static fromText(text) {
    const said = JSON.parse(text), first = said.lights ?? said.nodes, { buttons = [] } = said;
    const lights = Array.isArray(first) ? first : Array.from({ length: first }, (_, k) => k), number = new Map(lights.map((name, k) => [name, k]));
    const plan = {
      names: [...lights, ...buttons.map((button, k) => button.name ?? k)], spots: said.positions,
      wires: said.lights === undefined ? said.edges.map((ends) => ends.map((name) => number.get(name)))
        : buttons.flatMap(({ toggles }, k) => toggles.map((name) => [lights.length + k, number.get(name)])),
      seats: said.lights === undefined ? null : buttons.map(({ at }) => (at === undefined ? -1 : number.get(at))),
    };
    const target = Array.isArray(said.goal) ? Int8Array.from(said.goal) : null;
    return new GraphBoard(plan, Int8Array.from(said.lit), { rule: said.rule, goal: target ? "grid" : said.goal, target });
  }
}

// From a board file in the form in which the engine writes it.
export function boardFrom(text) { return text.startsWith("{") ? GraphBoard.fromText(text) : Board.fromText(text); }

export function countsUp(names) { return names.every((name, k) => name === k); }

function nearOf({ spots, wires, seats }) {
  const near = spots.map(() => []);
  for (const [a, b] of wires) {
    near[a].push(b);
    near[b].push(a);
  }
  return near.map((list) => list.sort((a, b) => a - b));
}

function between(spots) {
  return spots.reduce((least, [x, y], k) => spots.slice(0, k).reduce((found, [u, v]) => Math.min(found, Math.hypot(x - u, y - v)), least), SIDE);
}

// The places of a board as objects, and its wires as pairs of them: to be edited.
function opened({ plan, size, cells, target }) {
  const places = plan.names.map((name, k) => ({ name, spot: plan.spots[k], isButton: k >= size, lit: cells[k], wanted: target?.[k] }));
  plan.seats?.forEach((seat, k) => { places[size + k].seat = places[seat]; });
  return { places, wires: plan.wires.map((ends) => ends.map((k) => places[k])) };
}

// The board with these places and wires.
function closed(board, { places, wires }) {
  const bulbs = places.filter(({ isButton }) => !isButton), buttons = places.filter(({ isButton }) => isButton), all = [...bulbs, ...buttons];
  const number = new Map(all.map((place, k) => [place, k]));
  return new GraphBoard({
    names: all.map(({ name }) => name), spots: all.map(({ spot }) => spot), wires: wires.map((ends) => ends.map((place) => number.get(place))),
    seats: board.isWiring ? buttons.map(({ seat }) => number.get(seat) ?? -1) : null,
  }, Int8Array.from(bulbs, ({ lit }) => lit), { ...board.options, target: board.target && Int8Array.from(bulbs, ({ wanted }) => wanted) });
}

// A bulb, or a button, more, at a spot.
export function withPlace(board, spot, isButton = false) {
  if (board.count >= MOST_PLACES) throw new Error(line("full", { n: MOST_PLACES }));
  const { places, wires } = opened(board), alike = places.filter((place) => place.isButton === isButton);
  let name = alike.length;
  while (alike.some((place) => place.name === name)) name++;
  return closed(board, { places: [...places, { name, spot, isButton, lit: UNLIT, wanted: LIT }], wires });
}

// Without a bulb or a button, and its wires; the others keep their names. The last bulb stays.
export function withoutPlace(board, at) {
  if (at < board.size && board.size === 1) throw new Error(line("last-bulb"));
  const { places, wires } = opened(board), gone = places[at];
  return closed(board, { places: places.filter((place) => place !== gone), wires: wires.filter((ends) => !ends.includes(gone)) });
}

// A wire between two places, or none where there was one.
export function withWire(board, a, b) {
  if (a === b) throw new Error(line("two-ends"));
  if (board.isWiring && board.isButton(a) === board.isButton(b)) throw new Error(line("wire-ends"));
  const { places, wires } = opened(board), ends = [a, b].sort((k, j) => (board.isWiring ? j - k : k - j)).map((k) => places[k]);
  const others = wires.filter((pair) => !ends.every((place) => pair.includes(place)));
  return closed(board, { places, wires: others.length < wires.length ? others : [...wires, ends] });
}

// A place moved to a spot that is free.
export function withSpot(board, k, spot) {
  const { places, wires } = opened(board);
  if (places.some(({ spot: [x, y] }) => x === spot[0] && y === spot[1])) return board;
  places[k].spot = spot;
  return closed(board, { places, wires });
}

// The spot with the most room around it.
export function freeSpot({ plan: { spots } }) {
  const across = Array.from({ length: Math.ceil(SIDE / 12) }, (_, k) => 12 * k);
  const all = across.flatMap((x) => across.map((y) => [x, y]));
  const room = all.map(([x, y]) => Math.min(...spots.map(([u, v]) => Math.hypot(u - x, v - y))));
  return all[room.indexOf(Math.max(...room))];
}

// A grid as a graph, its bulbs where they are.
export function asGraph(board) {
  const bulbs = Array.from(board.cells.keys()).filter((k) => board.isBulb(k)), number = new Map(bulbs.map((k, j) => [k, j]));
  const { rows, columns } = board, step = Math.floor((SIDE - 1) / Math.max(1, rows - 1, columns - 1));
  const shift = [columns, rows].map((length) => Math.floor((SIDE - 1 - step * (length - 1)) / 2));
  const wires = bulbs.flatMap((k) => board.toggled(k).filter((other) => other > k).map((other) => [number.get(k), number.get(other)]));
  const { rule, goal, target } = board, pick = (cells) => Int8Array.from(bulbs, (k) => cells[k]);
  return new GraphBoard({
    names: bulbs.map((_, j) => j), wires, seats: null,
    spots: bulbs.map((k) => [shift[0] + step * (k % columns), shift[1] + step * Math.floor(k / columns)]),
  }, pick(board.cells), { rule, goal, target: target && pick(target) });
}
