"""What `ponder order` is told about formulas: the encoding, the solver, the files of a proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ponder.cli.encoding import settings_option
from ponder.cli.options import MOST, gathered

if TYPE_CHECKING:
    from ponder.cli.proof_files import ProofFiles
    from ponder.pipeline.one_press_set import Method
    from ponder.solvers.by_encoding import Recipe


@dataclass(frozen=True)
class SolverOptions:
    """What was said about formulas, solvers and the files of proofs."""

    encoding: str | None
    settings: tuple[str, ...]
    solver: str | None
    solver_cmd: str | None
    memory: int | None
    proof: str | None
    cnf: str | None
    lrat: str | None

    def method(self, method: Method) -> Method:
        """Return the method; an encoding stands for the one that it belongs to.

        UsageError when something was given that the method has no use for.
        """
        if method == "auto" and self.encoding is not None:
            from ponder.encodings.registry import encoder
            from ponder.formulas.encoder import Encoder

            method = "sat" if isinstance(encoder(self.encoding), Encoder) else "cpsat"
        for given, words, methods in (
            ((self.encoding, *self.settings), "--encoding and --option", ("sat", "cpsat")),
            ((self.memory,), "--memory", ("sat", "cpsat")),
            ((self.solver, self.solver_cmd), "--solver and --solver-cmd", ("sat",)),
        ):
            if any(value is not None for value in given) and method not in methods:
                raise click.UsageError(f"{words}: only with --method {' or '.join(methods)}")
        return method

    @property
    def files(self) -> ProofFiles:
        """The files that a proof goes to."""
        from ponder.cli.proof_files import ProofFiles

        return ProofFiles.of_options(self.proof, self.lrat, self.cnf)

    def settings_for(self, files: ProofFiles) -> Recipe:
        """Return the encoding and the solver as `ponder.order` takes them.

        PonderError where a proof is wanted and cannot be had.
        """
        from ponder.encodings.registry import encoder
        from ponder.errors import PonderError
        from ponder.solvers.by_encoding import Recipe
        from ponder.solvers.known_solvers import (
            DEFAULT_SOLVER,
            PYSAT_SOLVERS,
            command_words,
            proof_support,
        )

        if self.solver is not None and self.solver_cmd is not None:
            raise click.UsageError("either --solver or --solver-cmd")
        if self.settings and self.encoding is None:
            raise click.UsageError("--option needs --encoding")
        if self.encoding is not None:
            encoder(self.encoding).options(self.settings)
        name = self.solver_cmd or self.solver or DEFAULT_SOLVER
        reason = proof_support(name)
        if files.named and reason is not None:
            raise PonderError(f"no proof can be had from {name}: {reason}")
        if name not in PYSAT_SOLVERS:
            command_words(name, proof=reason is None)
        return Recipe(
            encoding=self.encoding,
            settings=self.settings,
            solver=name,
            memory=None if self.memory is None else self.memory << 20,
            lrat=files.lrat is not None,
        )


solver_options = gathered(
    "solver",
    SolverOptions,
    click.option(
        "--encoding",
        metavar="NAME",
        help="The encoding (`ponder encodings` lists them); by default one that fits.",
    ),
    settings_option,
    click.option(
        "--solver",
        metavar="NAME",
        help="A solver of python-sat (cadical195, glucose4, …), or cadical, kissat, minisat, "
        "cryptominisat5 on the path.  [default: cadical195]",
    ),
    click.option(
        "--solver-cmd",
        metavar="COMMAND",
        help="Any solver: a command with {cnf}, and {proof}, {model}, {seed} if it has them.",
    ),
    click.option(
        "--memory", type=click.IntRange(1, MOST), metavar="MB", help="What the solver may occupy."
    ),
    click.option(
        "--proof",
        metavar="FILE",
        help="Write a DRAT proof that there is no order, and the formula: a solver's, or a short "
        "one where the refutation has one.",
    ),
    click.option(
        "--cnf",
        metavar="FILE",
        help="Where the formula of a proof goes; by default beside it, its name with .cnf.",
    ),
    click.option("--lrat", metavar="FILE", help="The same with hints, for LRAT checkers."),
)
