"""LRAT hints: which clauses become unit, in which order, when a lemma is assumed false.

Idea. A checker with unit propagation has done the search that a checker of LRAT is spared
(`ponder.check.lrat`). What it used for each lemma is kept, and written once all is checked:
the needed lemmas alone, each with its hints, and what was deleted before it.

    ⟨id⟩ ⟨literals⟩ 0 ⟨hints⟩ 0         a lemma
    ⟨id⟩ d ⟨ids⟩ 0                      deletions

Clause i, counted from 0, has the id i + 1. For a RAT lemma there follows, for every clause D with
the negated first literal, −(id of D) and the hints for C ∪ (D − ¬p).

Reference. L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, "Efficient certified
RAT verification", CADE 2017.

Cost. Linear in what is written.

Trust. Imports nothing but the standard library and its neighbours in `ponder.check`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from ponder.check.drat_format import clause_text, is_tautology

EMPTY = -1  # stands for the empty clause where lemmas are named by their numbers


class Hints:
    """What each checked lemma rests on. Clauses are named by their numbers, from 0.

    `unit` lists the unit clauses in order, and last (unless the lemma is RAT) the falsified one;
    `partners` the pairs (D, hints of its own) of a RAT lemma.
    """

    def __init__(self) -> None:
        self.unit: dict[int, list[int]] = {}
        self.partners: dict[int, list[tuple[int, list[int]]]] = {}

    def write(
        self,
        out: TextIO,
        formula: list[list[int]],
        history: Sequence[tuple[int, bool]],
        lemmas: dict[int, list[int]],
    ) -> None:
        """Write the checked lemmas, which `lemmas` gives with their first literals first.

        `history` are the steps taken, as pairs (clause, whether it was added). Tautologies of the
        formula are deleted first: no RAT lemma has hints for them.

        >>> import io
        >>> hints, out = Hints(), io.StringIO()
        >>> hints.unit = {4: [0, 1], EMPTY: [4, 2, 3]}  # 1 ∨ 2, 1 ∨ ¬2, ¬1 ∨ 2, ¬1 ∨ ¬2; then 1
        >>> hints.write(out, [[2, 4], [2, 5], [3, 4], [3, 5]], [(4, True)], {4: [2]})
        >>> out.getvalue()
        '5 1 0 1 2 0\\n6 0 5 3 4 0\\n'
        """
        last = len(formula)
        gone = [i for i, clause in enumerate(formula) if is_tautology(clause)]
        final = max([last, *(number + 1 for number, _ in history)]) + 1
        for number, added in [*history, (EMPTY, True)]:
            if not added:
                if number < len(formula) or number in self.unit:
                    gone.append(number)
                continue
            if number not in self.unit:
                continue
            if gone:
                out.write(f"{last} d {' '.join(str(i + 1) for i in gone)} 0\n")
                gone = []
            last, lemma = (final, []) if number == EMPTY else (number + 1, lemmas[number])
            out.write(" ".join([str(last), clause_text(lemma), *self._words(number, formula)]))
            out.write(" 0\n")

    def _words(self, number: int, formula: list[list[int]]) -> list[str]:
        """Return a lemma's hints; partners that are never written need none."""
        words = [str(i + 1) for i in self.unit[number]]
        for partner, own in self.partners.get(number, ()):
            if partner < len(formula) or partner in self.unit:
                words += [str(-partner - 1), *(str(i + 1) for i in own)]
        return words
