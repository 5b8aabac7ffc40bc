"""What a solver's output about an exported formula stands for: an order, a refutation, or nothing.

No output is taken on trust. A model must satisfy the formula, and the order that it stands for
obeys the parities (`ponder.solvers.decoding`); "unsatisfiable" counts once a proof of it
has been checked (`ponder.check.drat`).

Cost. The check of a proof is pure Python, about a million clause visits a second.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

from ponder.check.drat import check_drat
from ponder.check.drat_format import drat_text
from ponder.check.limits import Until
from ponder.errors import CheckFailed, PonderError
from ponder.formulas.cnf import Cnf
from ponder.formulas.dimacs import body_sha256
from ponder.formulas.encoder import Encoder, Options
from ponder.puzzle.ordering_problem import Answer, OrderingProblem, Unknown
from ponder.puzzle.solver_refutations import SatProof
from ponder.solvers.clause_arrays import Sat, parse_solver_output
from ponder.solvers.decoding import cuts, decode


def proved(
    made: Encoder,
    options: Options,
    cnf: Cnf,
    proof: str | bytes,
    solver: str,
    *,
    added: Sequence[Sequence[int]] = (),
    lrat: bool = False,
    stop: Callable[[], bool] | None = None,
) -> SatProof:
    """Return the refutation that a proof stands for, which is checked; CheckFailed if it is wrong.

    `cnf` is the encoder's formula, the `added` cuts included. The proof must add the empty clause
    itself. `Stopped` when `stop()` says True.
    """
    hints = io.StringIO() if lrat else None
    found = check_drat(
        cnf.variables, cnf.clauses(), proof, explicit=True, lrat=hints, meter=Until(stop)
    )
    return SatProof(
        encoding=made.name,
        options=tuple(str(options).split()),
        solver=solver,
        cnf_sha256=body_sha256(cnf),
        variables=cnf.variables,
        clauses=cnf.size.clauses,
        lemmas=found.lemmas,
        proof=drat_text(proof) if isinstance(proof, bytes) else proof,
        cuts=tuple(tuple(cut) for cut in added),
        lrat=None if hints is None else hints.getvalue(),
    )


def answer_of_output(
    problem: OrderingProblem,
    made: Encoder,
    options: Options,
    output: str,
    *,
    proof: str | bytes | None = None,
    source: str = "solver output",
) -> Answer:
    """Return what a solver's output about the exported formula stands for.

    An order, when the model satisfies the formula; a refutation, when the output says
    unsatisfiable and `proof` proves it; else Unknown with the reason.

    SolverError for an output that is no answer or belongs to a formula of another size;
    CheckFailed for a model that does not satisfy the formula, and for a wrong proof.

    >>> from ponder.encodings.registry import encoder
    >>> path, made = OrderingProblem.from_edges(2, [(0, 1)], [1]), encoder("precedence")
    >>> if isinstance(made, Encoder):
    ...     answer_of_output(path, made, made.options(), "s UNKNOWN\\n")
    Unknown(...)
    """
    formula = made.encode(problem, options)
    outcome = parse_solver_output(
        _with_plain_literals(output), formula.variables, source, formula.unused
    )
    match outcome:
        case Sat(literals):
            broken = formula.falsified(outcome.values)
            if broken is not None:
                raise CheckFailed(
                    f"{source}: the model breaks {' '.join(map(str, broken[1]))} ({broken[0]}): "
                    "it is of another board, press set, encoding or option"
                )
            if cuts(made, problem, options, literals.tolist(), formula):
                raise PonderError(
                    f"{source}: the model has cycles, which this formula does not forbid; "
                    "only `ponder order` adds the cuts"
                )
            return decode(made, problem, options, literals.tolist(), formula)
        case Unknown():
            return outcome
    if not made.refutes(problem, options):
        return Unknown("the horizon of this formula is too short to refute anything")
    if proof is None:
        return Unknown("the solver says unsatisfiable, for which no proof was given")
    if formula.kinds - {"clause"}:
        raise PonderError("proofs are about clauses alone: choose options that are not native")
    return proved(made, options, formula, proof, "the solver")


def _with_plain_literals(output: str) -> str:
    """Return an output with the `v` lines of pseudo-Boolean solvers (`v x1 -x2`) as DIMACS.

    These have no 0 at the end: that all variables occur shows that none was cut off.
    """
    lines = output.splitlines()
    pseudo = [line.startswith("v ") and "x" in line for line in lines]
    if not any(pseudo):
        return output
    lines = [
        line.replace("x", "") if is_ else line for line, is_ in zip(lines, pseudo, strict=True)
    ]
    return "\n".join([*lines, "v 0", ""])
