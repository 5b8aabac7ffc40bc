"""LRAT about the `precedence` formula that starts from lemmas about pieces behind small cuts.

Each lemma (`ponder.ordering.small_cuts`) is derived from the parities and triangles of its piece
(`local_proofs`). What follows from the lemmas is unit propagation, or the proof of a solver that
was given them as clauses, numbered on from the formula's; the numbers are replaced.

Cost. That of a local proof for each lemma that is needed.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from ponder.limits import NEVER, Limits
from ponder.ordering.small_cuts import Lemma, Step
from ponder.proofs.lemma_templates import ProofWriter
from ponder.proofs.local_proofs import Source, derive


def lrat_of_steps(source: Source, lemmas: Sequence[Lemma], steps: Sequence[Step]) -> str:
    """Return the refutation by lemmas that contradict each other (`small_cuts.contradiction`)."""
    first = source.formula.size.clauses + 1
    lines = []
    for number, step in enumerate(steps, first + len(lemmas)):
        words = (number, *step.clause, 0, *(first + hint for hint in step.hints), 0)
        lines.append(" ".join(map(str, words)))
    return lrat_with_lemmas(source, lemmas, "\n".join(lines))


def lrat_with_lemmas(
    source: Source, lemmas: Sequence[Lemma], proof: str, limits: Limits = NEVER
) -> str:
    """Return a proof about the formula, from one about it and clauses of lemmas at its end.

    Only lemmas that the given proof names are derived. TimeUp.
    """
    file, size = io.BytesIO(), source.formula.size
    writer = ProofWriter(file, "lrat", size.variables, size.clauses)
    lines = [line.split() for line in proof.splitlines()]
    hinted = (line[line.index("0", 1) :] for line in lines if line[1] != "d")
    used = {int(word) - size.clauses - 1 for hints in hinted for word in hints}
    names: dict[int, int] = {}
    for k, lemma in enumerate(lemmas):
        if k in used:
            limits.check()
            members, piece = lemma.piece[lemma.why.members].tolist(), lemma.piece.tolist()
            name, clause = derive(
                writer, source, lemma.why.kind, members, piece, lemma.clause, limits
            )
            names[size.clauses + 1 + k] = name
            if not clause:
                lines = []
                break
    for line in limits.over(lines):
        if line[1] == "d":
            writer.delete((names.get(int(word), int(word)), ()) for word in line[2:-1])
            continue
        end = line.index("0", 1)
        hints = [names.get(int(word), int(word)) for word in line[end + 1 : -1]]
        names[int(line[0])] = writer.lemma(tuple(map(int, line[1:end])), hints)
    writer.close()
    return file.getvalue().decode("ascii")
