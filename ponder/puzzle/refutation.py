"""Refutations: why no legal order, or no sequence at all, exists; one class per kind.

Each kind says what it claims and carries what a checker needs and no more. The text form
(`to_json`) is what result files hold and what `ponder.check` reads; the checker never sees these
classes. The proof of each kind stands at its class.

The four claims (theory §2)

    C1  *this* press set has no legal order
    C2  no legal sequence presses each bulb at most once
    C3  no legal sequence has fewer than k presses
    C4  no sequence of any length, under any rule, reaches the goal
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from ponder.puzzle.board import Board
from ponder.puzzle.graph import GridGraph
from ponder.types import Bits, Ints, Json, Label

Claim: TypeAlias = Literal["C1", "C2", "C3", "C4"]

CLAIMS: dict[Claim, str] = {
    "C1": "this press set has no legal order",
    "C2": "no legal sequence presses each bulb at most once",
    "C3": "no legal sequence has fewer presses",
    "C4": "no sequence of any length reaches the goal",
}


@dataclass(frozen=True, eq=False)
class Refutation(ABC):
    """Why a press set (or, for `odd-witness`, the whole board) has no legal order."""

    kind: ClassVar[str]

    @abstractmethod
    def to_json(self, board: Board) -> Json:
        """Return the text form, with bulbs by their labels."""

    @abstractmethod
    def sentence(self, board: Board) -> str:
        """Return the reason in one sentence that a person can check."""

    @property
    def bulbs(self) -> Ints | None:
        """The bulbs that the refutation speaks of, to be shown on the board; None for none."""
        return None


@dataclass(frozen=True, eq=False)
class OddWitness(Refutation):
    """A set y of bulbs that every press toggles an even number of times although its parity
    must change: A y = 0 and y·b = 1. Claims C4 under every rule.

    Proof. A press of v toggles |N[v] ∩ y| bulbs of y, which is (A y)(v) = 0 mod 2. So the parity
    of the lit bulbs in y never changes; but it must change by y·b = 1. ∎
    """

    kind = "odd-witness"
    members: Ints

    @property
    def bulbs(self) -> Ints:
        """The witness."""
        return self.members

    def to_json(self, board: Board) -> Json:
        """Return kind and bulbs."""
        return {"kind": self.kind, "bulbs": board.graph.labels(self.members)}

    def sentence(self, board: Board) -> str:
        """Return the parity argument with its numbers."""
        lit = int(board.lit[self.members].sum())
        goal = int(board.goal[self.members].sum())
        return (
            f"every press toggles an even number of these {self.members.size} bulbs; "
            f"{lit} of them are lit and {goal} must be: the parity never changes"
        )


@dataclass(frozen=True, eq=False)
class LineCount(Refutation):
    """Row/column boards with every t(v) = 0: the number of rows with an odd number of presses
    differs from the number of such columns. Claims C1 for the press set.

    Proof. In build order the colours (line parities so far) alternate 0,1,0,1,… along each line,
    so a line with d presses has ⌊d/2⌋ presses of colour 1. Summed over rows and over columns this
    counts the same presses: Σ_rows ⌊d/2⌋ = Σ_columns ⌊d/2⌋, that is |S| − (odd rows) =
    |S| − (odd columns). ∎
    """

    kind = "line-count"
    odd_rows: Ints
    odd_columns: Ints

    def to_json(self, board: Board) -> Json:
        """Return the odd lines by their numbers."""
        return {
            "kind": self.kind,
            "odd_rows": self.odd_rows.tolist(),
            "odd_columns": self.odd_columns.tolist(),
        }

    def sentence(self, board: Board) -> str:
        """Return both counts."""
        rows, columns = self.odd_rows.size, self.odd_columns.size
        return (
            f"{rows} row{_s(rows)} but {columns} column{_s(columns)} "
            f"hold an odd number of presses; every order needs equally many"
        )


@dataclass(frozen=True, eq=False)
class LineCut(Refutation):
    """Row/column boards with every t(v) = 0: lines X of one kind and Y of the other with
    Σ_{X} ⌊d/2⌋ > Σ_{Y} ⌊d/2⌋ + |presses in X outside Y|. Claims C1 for the press set.

    Proof. The presses of colour 1 in X number Σ_X ⌊d/2⌋ (see `LineCount`). Those in Y are at most
    Σ_Y ⌊d/2⌋, and the others are presses in X outside Y. ∎

    `side` says which kind of line X is.
    """

    kind = "line-cut"
    side: Literal["rows", "columns"]
    rows: Ints
    columns: Ints
    need: int
    room: int

    def to_json(self, board: Board) -> Json:
        """Return the lines of the cut and which side is too demanding."""
        return {
            "kind": self.kind,
            "side": self.side,
            "rows": self.rows.tolist(),
            "columns": self.columns.tolist(),
            "need": self.need,
            "room": self.room,
        }

    def sentence(self, board: Board) -> str:
        """Return the inequality with its numbers."""
        x, y = (self.rows, self.columns) if self.side == "rows" else (self.columns, self.rows)
        own, other = ("row", "column") if self.side == "rows" else ("column", "row")
        return (
            f"{x.size} {own}{_s(x.size)} need{'s' if x.size == 1 else ''} {self.need} "
            f"press{'' if self.need == 1 else 'es'} of colour 1, but {y.size} {other}{_s(y.size)} "
            f"and the presses outside leave room for only {self.room}"
        )


@dataclass(frozen=True, eq=False)
class LineParities(Refutation):
    """Full R×C row/column boards with an odd number of lines of one kind, an even number of the
    other, and every t(v) = 0: every press set has the same `odd_lines`, and these outnumber the
    lines of the other kind. Claims C2.

    Proof. Say R is odd and C even, and let S be any press set: b(i,j) = r_i + c_j + s_ij, with r_i
    and c_j the parities of S along row i and column j. Summing column j, Σ_i b(i,j) =
    |S| + R·c_j + c_j = |S|, so every column of b has the parity of |S|. Summing row i,
    Σ_j b(i,j) = C·r_i + |S| + r_i = r_i + |S|. So r_i depends on b alone. An order needs as many
    odd columns as odd rows (see `LineCount`), and there are only C columns. ∎

    `side` is the kind of the lines that are odd in number, `others` the number of the other lines.
    """

    kind = "line-parities"
    side: Literal["rows", "columns"]
    odd_lines: Ints
    others: int

    def to_json(self, board: Board) -> Json:
        """Return the odd lines and how many lines could match them."""
        return {
            "kind": self.kind,
            "side": self.side,
            "odd_lines": self.odd_lines.tolist(),
            "others": self.others,
        }

    def sentence(self, board: Board) -> str:
        """Return both numbers."""
        other = "column" if self.side == "rows" else "row"
        return (
            f"every press set has the same {self.odd_lines.size} odd {self.side}; an order needs "
            f"as many odd {other}s, and there {'is' if self.others == 1 else 'are'} only "
            f"{self.others} {other}{_s(self.others)}"
        )


@dataclass(frozen=True, eq=False)
class WeightedCuts(Refutation):
    """Full R×C row/column boards with R odd, C even (or turned), every t(v) = 0: sets X of rows
    with positive weights λ_X, whose weighted excess is more than 0 in every press set. Claims C2.

    Proof. All press sets agree on the row parities p (see `LineParities`) and differ by column
    switches. Let one of them have w_j presses in column j, a_j of them in X. The presses of
    colour 1 in X (see `LineCount`) number Σ_{i∈X} (d_i − p_i)/2 = (Σ_j a_j − |p ∩ X|)/2, but at
    most Σ_j min(⌊w_j/2⌋, a_j). So an order demands

        excess_X = Σ_j (a_j − 2·min(⌊w_j/2⌋, a_j)) − |p ∩ X| ≤ 0  for every X,

    hence Σ λ_X·excess_X ≤ 0. That is a constant and a sum over columns, each of which may be
    switched (w_j ↦ R − w_j, a_j ↦ |X| − a_j), and exactly |p| columns are odd. As R is odd, each
    column has an even and an odd state; so the least value is the sum over the even states plus
    the |p| least differences (odd − even). It is more than 0. ∎

    `side` is what the rows are on the board: the lines that are odd in number.
    """

    kind = "weighted-cuts"
    side: Literal["rows", "columns"]
    lines: tuple[Ints, ...]
    weights: tuple[int, ...]

    def to_json(self, board: Board) -> Json:
        """Return every set of lines with its weight."""
        return {
            "kind": self.kind,
            "side": self.side,
            "cuts": [
                {"lines": lines.tolist(), "weight": weight}
                for lines, weight in zip(self.lines, self.weights, strict=True)
            ],
        }

    def sentence(self, board: Board) -> str:
        """Return the sets of lines, or how many there are."""
        if len(self.lines) == 1:
            which = " ".join(map(str, self.lines[0].tolist()))
            return f"whichever press set: the {self.side} {which} need more colour 1 than fits"
        return f"whichever press set: one of {len(self.lines)} sets of {self.side} is over-full"


@dataclass(frozen=True, eq=False)
class CosetRefuted(Refutation):
    """No press set has an order. Claims C2.

    Proof. `parts` holds press sets, each with its refutation. One that lives on a component K
    (`LocalRefutation`) refutes every press set that agrees with it on N[K], where K is pressed and
    nothing beside it. On row/column boards with every t(v) = 0 the press sets whose numbers of odd
    rows and odd columns differ are refuted by that (`LineCount`) and not listed. Together they
    leave none of the 2^d members s₀ + ker A, as whoever checks counts again. ∎
    """

    kind = "coset"
    press_sets: int
    parts: tuple[tuple[Bits, Refutation], ...]

    def to_json(self, board: Board) -> Json:
        """Return the parts, each a refutation with its press set."""
        return {
            "kind": self.kind,
            "press_sets": self.press_sets,
            "parts": parts_json(board, self.parts),
        }

    def sentence(self, board: Board) -> str:
        """Return how many press sets fall to which argument."""
        parts, every = len(self.parts), f"all {self.press_sets} press sets"
        if all(isinstance(why, LocalRefutation) for _, why in self.parts):
            if parts == 1:
                return f"in {every} " + self.parts[0][1].sentence(board)
            if parts:
                return f"{parts} patterns refute {every}"
        if not parts:
            return f"in {every} the numbers of odd rows and odd columns differ"
        return (
            f"of the {self.press_sets} press sets, {parts} {'is' if parts == 1 else 'are'} refuted "
            "one by one; in all others the numbers of odd rows and odd columns differ"
        )

    @property
    def bulbs(self) -> Ints | None:
        """The bulbs of the only pattern, where one is enough."""
        return self.parts[0][1].bulbs if len(self.parts) == 1 else None


def parts_json(board: Board, parts: Iterable[tuple[Bits, Refutation]]) -> list[Json]:
    """Return refutations with the press sets that they are about."""
    return [
        {**why.to_json(board), "press_counts": press_counts_json(board, press_set)}
        for press_set, why in parts
    ]


@dataclass(frozen=True, eq=False)
class IntegerModel(Refutation):
    """Full row/column boards with every t(v) = 0: no press set has a half factor. Claims C2.

    There is no certificate: the claim rests on OR-tools CP-SAT, which found an integer program
    infeasible, and on `ponder.cross.switching`, which posed it. `log2_press_sets` is the nullity.
    """

    kind = "integer-model"
    log2_press_sets: int

    def to_json(self, board: Board) -> Json:
        """Return what was searched, and on whose word the claim rests."""
        return {
            "kind": self.kind,
            "log2_press_sets": self.log2_press_sets,
            "rests_on": "OR-tools CP-SAT",
        }

    def sentence(self, board: Board) -> str:
        """Return the claim and on what it rests."""
        return (
            f"none of the 2^{self.log2_press_sets} press sets has an order, by an integer program "
            "that OR-tools CP-SAT found infeasible (no certificate)"
        )


@dataclass(frozen=True, eq=False)
class LocalRefutation(Refutation):
    """Base of the refutations that live on a set B of pressed bulbs. They claim C1.

    B is a component of the pressed graph H, or a part of one such that every piece of the
    component outside B hangs on a single bulb of B, pressed once (B is a 2-connected block, say).
    All copies of a bulb that is pressed several times are in B together.

    Parities inside B. Let P be the pieces that hang on c ∈ B. The out-degrees of P's vertices sum,
    with c's edges into P, to |E(P ∪ c)|; so c's out-degree into P is forced to
    |E(P ∪ c)| + |T ∩ P| mod 2, and inside B c must have the parity t_B(c) = t(c) + that.
    The orientation restricted to B is acyclic and has the out-degree parities t_B.
    """

    members: Ints

    @property
    def bulbs(self) -> Ints:
        """The set B."""
        return self.members

    def to_json(self, board: Board) -> Json:
        """Return kind and bulbs."""
        return {"kind": self.kind, "bulbs": board.graph.labels(self.members)}


@dataclass(frozen=True, eq=False)
class OddComponent(LocalRefutation):
    """The number of edges within B and the number of its vertices with t_B = 1 differ mod 2.

    Proof. Out-degrees within B sum to |E(B)|. ∎ For T = ∅: a component with an odd number of
    neighbouring pairs.
    """

    kind = "odd-component"
    pairs: int
    odd: int

    def sentence(self, board: Board) -> str:
        """Return the count."""
        k = self.members.size
        these = f"these {k} pressed bulbs have" if k > 1 else "this bulb's presses have"
        need = "an even" if self.odd % 2 == 0 else "an odd"
        return (
            f"{these} {self.pairs} neighbouring pair{_s(self.pairs)}; every order needs {need} "
            "number"
        )


@dataclass(frozen=True, eq=False)
class NoFirstPress(LocalRefutation):
    """Every vertex of B has deg_B(v) ≢ t_B(v): none can be the first of B to be pressed.

    Proof. The first press of B in play order has all its neighbours in B after it. ∎
    """

    kind = "no-first-press"

    def sentence(self, board: Board) -> str:
        """Return the reason."""
        return (
            f"none of these {self.members.size} bulbs can be the first of them to be pressed: "
            "each has the wrong number of neighbours among them, all of which would come later"
        )


@dataclass(frozen=True, eq=False)
class NoLastPress(LocalRefutation):
    """Every vertex of B has t_B(v) = 1: none can be the last of B to be pressed.

    Proof. The last press of B in play order has no neighbour in B after it. ∎
    """

    kind = "no-last-press"

    def sentence(self, board: Board) -> str:
        """Return the reason."""
        return (
            f"none of these {self.members.size} bulbs can be the last of them to be pressed: "
            "each needs an odd number of neighbours after it"
        )


@dataclass(frozen=True, eq=False)
class Exhausted(LocalRefutation):
    """No order of B has the parities t_B, by dynamic programming over all subsets of B.

    Proof. A set U ⊆ B is *reachable* when it is empty or some v ∈ U has U − v reachable and
    |N(v) ∩ (U − v)| ≡ t_B(v). An order exists iff B is reachable; a checker fills the same table,
    2^|B| entries. ∎
    """

    kind = "exhausted"

    def sentence(self, board: Board) -> str:
        """Return what was searched."""
        return f"all orders of these {self.members.size} bulbs were searched: none is legal"


@dataclass(frozen=True, eq=False)
class Randomised(Refutation):
    """Evidence, never proof: the matrix of theory §5 was singular in every trial.

    If an order exists, one trial is singular with probability at most (|E| + |V|) / 2^k.
    `log2_error` is the base-2 logarithm of the bound over all trials.
    """

    kind = "randomised"
    bits: int
    trials: int
    log2_error: float
    seed: int

    def to_json(self, board: Board) -> Json:
        """Return the field size, the trials and the error bound."""
        return {
            "kind": self.kind,
            "field_bits": self.bits,
            "trials": self.trials,
            "log2_error": self.log2_error,
            "error": 2.0**self.log2_error,
            "seed": self.seed,
        }

    def sentence(self, board: Board) -> str:
        """Return the evidence with its error bound."""
        return (
            f"a randomised test over GF(2^{self.bits}) found no order in {self.trials} "
            f"trial{_s(self.trials)}; it errs with probability at most 2^{self.log2_error:.0f}"
        )


INLINE = 200_000
"""Proofs of at most so many characters are part of a result; longer ones need a file."""


@dataclass(frozen=True, eq=False)
class SatProof(Refutation):
    """A formula that says "this order is legal" has no model, by a proof. Claims C1.

    Proof. `proof` is a DRAT proof that the formula has no model; `ponder.check.drat` has checked
    it. That a legal order would be a model rests on the encoder (`encodings/`), which is run again
    when the proof is verified: the formula must have the same SHA-256. The solver is not trusted.

    `encoding`, `options`   the encoder and all its options, `key=value`
    `solver`                whose proof it is
    `cnf_sha256`            of the DIMACS file without comment lines
    `lemmas`                of the proof, as far as they were needed to be read
    `cuts`                  clauses that were added to a formula that leaves some out
    `proof`, `lrat`         the text of the proof, and with hints where asked for
    `proof_file`, `cnf_file`  where they were written, as text, if anywhere
    """

    kind = "sat-proof"
    encoding: str
    options: tuple[str, ...]
    solver: str
    cnf_sha256: str
    variables: int
    clauses: int
    lemmas: int
    proof: str
    cuts: tuple[tuple[int, ...], ...] = ()
    lrat: str | None = None
    proof_file: str | None = None
    cnf_file: str | None = None

    def to_json(self, board: Board) -> Json:
        """Return what the formula is, and the proof itself where it is small."""
        return {
            "kind": self.kind,
            "encoding": self.encoding,
            "options": list(self.options),
            "solver": self.solver,
            "cnf_sha256": self.cnf_sha256,
            "variables": self.variables,
            "clauses": self.clauses,
            "cuts": [list(cut) for cut in self.cuts],
            "lemmas": self.lemmas,
            "proof_file": self.proof_file,
            "cnf_file": self.cnf_file,
            "proof": self.proof if len(self.proof) <= INLINE else None,
        }

    def sentence(self, board: Board) -> str:
        """Return the claim and who has made and checked the proof."""
        return (
            f"the formula {self.encoding} of {self.variables:,} variables and {self.clauses:,} "
            f"clauses has no model: {self.solver} gave a proof of {self.lemmas:,} "
            f"lemma{_s(self.lemmas)}, which was checked"
        )


@dataclass(frozen=True, eq=False)
class CpSat(Refutation):
    """A CP-SAT model that says "this order is legal" has no solution. Claims C1.

    There is no certificate: the claim rests on OR-tools CP-SAT and on the encoder.
    """

    kind = "cp-sat"
    encoding: str
    options: tuple[str, ...]
    variables: int
    constraints: int

    def to_json(self, board: Board) -> Json:
        """Return what the model is, and on whose word the claim rests."""
        return {
            "kind": self.kind,
            "encoding": self.encoding,
            "options": list(self.options),
            "variables": self.variables,
            "constraints": self.constraints,
            "rests_on": "OR-tools CP-SAT",
        }

    def sentence(self, board: Board) -> str:
        """Return the claim and on what it rests."""
        return (
            f"the model {self.encoding} of {self.variables:,} variables and {self.constraints:,} "
            "constraints has no solution, by the word of OR-tools CP-SAT (no certificate)"
        )


def press_counts_json(board: Board, counts: Bits | Ints) -> list[str] | list[int]:
    """Return press counts as text: on a grid one string of digits per row, `-` for holes.

    On a graph, or where a bulb is pressed more than nine times, a list with one number per bulb.

    >>> import numpy as np
    >>> board = Board.from_rows(["01-", "000"])
    >>> press_counts_json(board, np.array([1, 0, 0, 2, 1]))
    ['10-', '021']
    """
    import numpy as np

    graph = board.graph
    if not isinstance(graph, GridGraph) or (counts.size and int(counts.max()) > 9):
        return [int(k) for k in counts]
    cells = np.full(graph.shape[0] * graph.shape[1], ord("-"), dtype=np.uint8)
    cells[graph.cells] = counts.astype(np.uint8) + ord("0")
    text = cells.tobytes().decode("ascii")
    width = graph.shape[1]
    return [text[i : i + width] for i in range(0, len(text), width)]


def coordinates(labels: list[Label], most: int = 12) -> str:
    """Return labels for a sentence, shortened when there are many.

    >>> coordinates([(0, 1), (2, 3)])
    '(0,1) (2,3)'
    """
    words = [f"({x[0]},{x[1]})" if isinstance(x, tuple) else str(x) for x in labels[:most]]
    if len(labels) > most:
        words.append(f"… ({len(labels)} in all)")
    return " ".join(words)


def _s(count: int) -> str:
    return "" if count == 1 else "s"
