"""LRAT about the `precedence` formula that starts from lemmas about pieces behind small cuts.

Each lemma (`ponder.find.ordering.small_cuts`) is derived from the parities and triangles of its
piece (`ponder.proofs.local_proofs`, whose cost it is), sums of the same presses once. What follows
is the proof of a solver that was given them as clauses, alone or after the formula's.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from ponder.find.ordering.small_cuts import PieceLemma
from ponder.proofs.lemma_templates import ProofWriter
from ponder.proofs.local_proofs import Source, derive
from ponder.proofs.lrat_trimming import Trimmed
from ponder.proofs.parity_sums import Chain
from ponder.system.limits import NEVER, Limits


def lrat_with_lemmas(
    source: Source, lemmas: Sequence[PieceLemma], proof: Trimmed, limits: Limits = NEVER
) -> str:
    """Return a proof about the formula, from one about it and clauses of lemmas at its end.

    The given one may be about the lemmas alone. Only lemmas it names are derived. Raises TimeUp.
    """
    file, size = io.BytesIO(), source.formula.size
    own = range(1, len(proof.given) - len(lemmas) + 1)  # nothing, or the formula's and cuts'
    writer = ProofWriter(file, "lrat", size.variables, max(size.clauses, len(own)))
    needed = {hint for _, _, hints, _ in proof.steps for hint in hints}
    names, sums = [0] * len(lemmas), dict[tuple[int, ...], Chain]()
    for k, (lemma, number) in enumerate(zip(lemmas, proof.given[own.stop - 1 :], strict=True)):
        if number in needed:
            kind, members = lemma.why.kind, lemma.piece[lemma.why.members].tolist()
            ends = lemma.piece.tolist(), lemma.clause
            names[k], clause = derive(writer, source, kind, members, *ends, limits, sums)
            if not clause:
                proof = Trimmed(proof.given, [])
                break
    writer.close()
    return file.getvalue().decode("ascii") + proof.text([*own, *names], writer.name, limits)
