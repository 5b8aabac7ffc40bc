// One attempt at one board: what was asked for, how long it took, the fewest presses it needs.

export class Round {
  // `kept` is what a round before a reload has left.
  constructor(start, kept = {}) {
    this.start = start;
    this.revealed = Boolean(kept.revealed);
    this.seen = Boolean(kept.seen);     // the answer was seen in another place
    this.late = Boolean(kept.late);     // it was revealed or seen when the board was done
    this.hints = Number(kept.hints) || 0;
    this.wrong = Number(kept.wrong) || 0; // how often `Impossible` was said of a possible board
    this.shown = Boolean(kept.shown);   // the page has shown the way
    this.spent = Number(kept.spent) || 0; // milliseconds
    this.fewest = null;                 // of the start board: { count, optimal, lower_bound }
    this.asked = false;
    this.ticked = performance.now();
  }

  get kept() {
    const { revealed, seen, late, hints, wrong, shown, spent } = this;
    return { revealed, seen, late, hints, wrong, shown, spent };
  }

  // Whether the player has needed nothing but the board.
  get unaided() { return !this.hints && !this.wrong && !this.shown && !this.revealed && !this.seen; }

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
