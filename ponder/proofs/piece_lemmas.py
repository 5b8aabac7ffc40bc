"""LRAT about the `precedence` formula that starts from lemmas about pieces behind small cuts.

Each lemma (`ponder.ordering.small_cuts`) is derived from the parities and triangles of its piece
(`local_proofs`, whose cost it is). What follows is the proof of a solver that was given them as
clauses, alone or after the formula's; the numbers are replaced.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from ponder.limits import NEVER, Limits
from ponder.ordering.small_cuts import Lemma
from ponder.proofs.lemma_templates import ProofWriter
from ponder.proofs.local_proofs import Source, derive


def lrat_with_lemmas(
    source: Source, lemmas: Sequence[Lemma], proof: str, limits: Limits = NEVER, *, alone: bool
) -> str:
    """Return a proof about the formula, from one about it and clauses of lemmas at its end.

    The given one may be about the lemmas `alone`. Only lemmas it names are derived. Raises TimeUp.
    """
    file, size = io.BytesIO(), source.formula.size
    first = 1 if alone else size.clauses + 1
    writer = ProofWriter(file, "lrat", size.variables, size.clauses)
    lines = [line.split() for line in proof.splitlines()]
    hinted = (line[line.index("0", 1) :] for line in lines if line[1] != "d")
    used = {int(word) - first for hints in hinted for word in hints}
    names: dict[int, int] = {}
    for k, lemma in enumerate(lemmas):
        if k in used:
            limits.check()
            why, boundary, piece = lemma.why, lemma.clause, lemma.piece.tolist()
            members = lemma.piece[why.members].tolist()
            name, clause = derive(writer, source, why.kind, members, piece, boundary, limits)
            names[first + k] = name
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
