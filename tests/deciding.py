"""Whether so many pairs may do, decided in this process: no child, no proof, for tests alone."""

from __future__ import annotations

from collections.abc import Sequence

from ponder.check.pair_formula import PairFormula
from ponder.fewest.clusters import neighbour_lists
from ponder.fewest.master import Decide, Question
from ponder.limits import Limits
from ponder.puzzle.board import Board
from ponder.puzzle.decomposition import PairProof


def formula_of(board: Board, question: Question) -> PairFormula:
    """Return the formula with all its cuts."""
    odd = [] if board.odd_later is None else [int(t) for t in board.odd_later]
    near = neighbour_lists(board)
    formula = PairFormula(near, odd, question.press_set, question.pairs, question.cap)
    for cut in question.cuts:
        formula.add_cut(cut)
    return formula


def decided(board: Board) -> Decide:
    """Return what decides questions about a board."""
    from pysat.solvers import Cadical195

    def decide(question: Question, limits: Limits) -> Sequence[int] | PairProof | None:
        limits.check()
        formula = formula_of(board, question)
        with Cadical195(bootstrap_with=formula.clauses) as solver:
            if solver.solve():
                return formula.pairs_of({x for x in solver.get_model() if x > 0})
        return PairProof(question.press_set, question.pairs, question.cap, question.cuts, "")

    return decide
