"""What `ponder order` is told about formulas: the encoding, the solver, the files of proofs.

Encodings and solvers are loaded where they are asked for: most boards need none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ponder.cli.options import MOST, check_file, gathered, option, shared
from ponder.errors import PonderError

if TYPE_CHECKING:
    from ponder.pipeline.search_settings import Method
    from ponder.solvers.by_encoding import Recipe

settings_option = click.option(
    "--option",
    "settings",
    metavar="KEY=VALUE",
    multiple=True,
    help="An option of the encoding; may be repeated.",
)
press_set_option = click.option(
    "--press-set",
    metavar="FILE",
    help="Order just these presses (a grid of 0 and 1, a press list, or a result).",
)


@dataclass(frozen=True)
class ProofFiles:
    """Where the proof, the proof with hints, and the formula go; None: nowhere."""

    proof: str | None
    lrat: str | None
    cnf: str | None

    @property
    def named(self) -> list[str]:
        """The files that are wanted."""
        return [file for file in (self.cnf, self.proof, self.lrat) if file is not None]


@dataclass(frozen=True)
class VeriPbFiles:
    """Where the proof for VeriPB and its formula go; None: nowhere."""

    veripb: str | None
    opb: str | None

    @property
    def named(self) -> list[str]:
        """The files that are wanted."""
        return [file for file in (self.opb, self.veripb) if file is not None]


@dataclass(frozen=True)
class SolverOptions:
    """What was said about formulas, solvers and the files of proofs."""

    encoding: str | None = option(
        "--encoding",
        metavar="NAME",
        help="The encoding (`ponder encodings` lists them); by default one that fits.",
    )
    settings: tuple[str, ...] = shared(settings_option)
    solver: str | None = option(
        "--solver",
        metavar="NAME",
        help="A solver of python-sat (cadical195, glucose4, …), or cadical, kissat, minisat, "
        "cryptominisat5 on the path.  [default: cadical195]",
    )
    solver_cmd: str | None = option(
        "--solver-cmd",
        metavar="COMMAND",
        help="Any solver: a command with {cnf}, and {proof}, {model}, {seed} if it has them.",
    )
    memory: int | None = option(
        "--memory",
        type=click.IntRange(1, MOST),
        metavar="MB",
        help="What the solver may occupy.",
    )
    proof: str | None = option(
        "--proof",
        metavar="FILE",
        help="Write a DRAT proof that there is no order, and the formula: a solver's, or a short "
        "one where the refutation has one.",
    )
    cnf: str | None = option(
        "--cnf",
        metavar="FILE",
        help="Where the formula of a proof goes; by default beside it, its name with .cnf.",
    )
    lrat: str | None = option(
        "--lrat", metavar="FILE", help="The same with hints, for LRAT checkers."
    )
    veripb: str | None = option(
        "--veripb",
        metavar="FILE",
        help="Row/column boards: write a cutting-plane proof that there is no order, for VeriPB, "
        "and its formula.",
    )
    opb: str | None = option(
        "--opb",
        metavar="FILE",
        help="Where that formula goes; by default beside the proof, its name with .opb.",
    )

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
    def files(self) -> tuple[ProofFiles, VeriPbFiles]:
        """The files that proofs go to, each formula beside its proof; PonderError early."""
        beside = self.proof or self.lrat
        cnf = self.cnf or (None if beside is None else f"{beside}.cnf")
        opb = self.opb or (None if self.veripb is None else f"{self.veripb}.opb")
        files = ProofFiles(self.proof, self.lrat, cnf), VeriPbFiles(self.veripb, opb)
        for file in (*files[0].named, *files[1].named):
            check_file(file)
        return files

    def settings_for(self, files: ProofFiles) -> Recipe:
        """Return the encoding and the solver as `ponder.order` takes them.

        PonderError where a proof is wanted and cannot be had.
        """
        from ponder.encodings.registry import encoder
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


solver_options = gathered("solver", SolverOptions)
