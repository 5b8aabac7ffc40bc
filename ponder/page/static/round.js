// One attempt at one board: what was asked for, how long it took, the fewest presses it needs.

export class Round {
  revealed = false;
  seen = false;   // the answer was seen in another place
  late = false;   // it was revealed or seen when the board was done
  hints = 0;
  wrong = 0;      // how often `Impossible` was said of a possible board
  refused = 0;    // how often a marking was refused
  shown = false;  // the page has shown the way
  spent = 0;      // milliseconds
  fewest = null;  // of the start board: { count, optimal, lower_bound }
  asked = false;
  ticked = performance.now();

  // `kept` is what a round before a reload has left.
  constructor(start, kept = {}) { Object.assign(this, kept, { start }); }

  get kept() {
    const { revealed, seen, late, hints, wrong, refused, shown, spent } = this;
    return { revealed, seen, late, hints, wrong, refused, shown, spent };
  }

  // Another attempt at the same board: what has helped stays known.
  get again() {
    const { start, fewest, open, seen, shown, hints, wrong, refused } = this;
    return new Round(start, { fewest, revealed: open, seen: seen || shown, hints, wrong, refused });
  }

  // Whether the player has needed nothing but the board.
  get unaided() { return !this.hints && !this.wrong && !this.refused && !this.shown && !this.revealed && !this.seen; }

  // Whether the answer may be read.
  get open() { return this.revealed || this.late; }

  // Time has gone by; whether it counts.
  tick(counts) {
    const now = performance.now(), gone = now - this.ticked;
    if (counts) this.spent += Math.min(gone, LONGEST_TICK);
    this.ticked = now;
  }
}

const LONGEST_TICK = 2000; // milliseconds: a machine that slept has not been played on
