"""LRAT about the `precedence` formula that starts from lemmas about pieces behind small cuts.

Each lemma (`ponder.ordering.small_cuts`) is derived from the parities and triangles of its piece
(`local_proofs`, whose cost it is), those about one odd component together. What follows is the
proof of a solver that was given them as clauses, alone or after the formula's.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from ponder.limits import NEVER, Limits
from ponder.ordering.small_cuts import Lemma
from ponder.proofs.lemma_templates import ProofWriter
from ponder.proofs.local_proofs import Source, derive
from ponder.proofs.lrat_trimming import Trimmed


def lrat_with_lemmas(
    source: Source, lemmas: Sequence[Lemma], proof: Trimmed, limits: Limits = NEVER
) -> str:
    """Return a proof about the formula, from one about it and clauses of lemmas at its end.

    The given one may be about the lemmas alone. Only lemmas that it names are derived. TimeUp.
    """
    file, size = io.BytesIO(), source.formula.size
    own = range(1, len(proof.given) - len(lemmas) + 1)
    writer = ProofWriter(file, "lrat", size.variables, size.clauses)
    named = {hint for _, _, hints, _ in proof.steps for hint in hints}
    alike: dict[object, list[int]] = {}
    for k, (lemma, number) in enumerate(zip(lemmas, proof.given[own.stop - 1 :], strict=True)):
        if number in named:
            component = lemma.piece.tobytes(), lemma.why.members.tobytes()
            odd = lemma.why.kind == "odd-component"
            alike.setdefault(component if odd else k, []).append(k)
    names = [0] * len(lemmas)
    for some in alike.values():
        limits.check()
        lemma, boundaries = lemmas[some[0]], [lemmas[k].clause for k in some]
        members, piece = lemma.piece[lemma.why.members].tolist(), lemma.piece.tolist()
        derived = derive(writer, source, lemma.why.kind, members, piece, boundaries, limits)
        for k, (name, _) in zip(some, derived, strict=True):
            names[k] = name
        if not all(clause for _, clause in derived):
            proof = Trimmed(proof.given, [])
            break
    writer.close()
    return file.getvalue().decode("ascii") + proof.text([*own, *names], writer.name, limits)
