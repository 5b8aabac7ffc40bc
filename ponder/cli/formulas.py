"""`ponder formulas`: a benchmark set of formulas with known answers and proofs, from a seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ponder.cli import options
from ponder.cli.options import argument, option
from ponder.cli.terminal import Progress, say
from ponder.system.errors import meant, quoted
from ponder.system.limits import Limits

if TYPE_CHECKING:
    from ponder.studies.competition import Kind
    from ponder.studies.formula_set import FormulaRecipe


@options.command(
    """
Families:
  balanced, alternating   satisfiable: boards, and rings of pieces and hubs, that have an order
  count, cut              rows and columns disagree: hard for resolution, easy for cutting planes
  parity                  a component with an odd number of edges: hard for resolution
  ring                    neither count nor end explains it: left to search

Examples:
  ponder formulas -o set                                 all of them
  ponder formulas count-12-half_factor ring-30-precedence -o some
  ponder formulas -o set --compare docs/results/formulas/manifest.json
  ponder formulas --list
  ponder formulas --competition sat --seed 1 -o bundle    without comments, with a description
  ponder formulas --check bundle --seconds 600           proofs, and the solvers that are there

Give the same command again after an interruption: what is complete is kept. Exit codes: 0 made,
1 not what the manifest of --compare says, or a wrong file or proof, 2 bad usage, 3 not in time,
130 interrupted.
"""
)
def command(
    names: tuple[str, ...] = argument("[NAME]…", nargs=-1),
    output: str | None = option("-o, --output FOLDER", "Where the formulas go; made if missing."),
    listed: bool = option("--list", "List the formulas and make nothing."),
    compare: str | None = option("--compare MANIFEST", "Compare with the hashes of a manifest."),
    competition: Kind | None = option(
        "--competition",
        "Make a bundle for the SAT competition, or the pseudo-Boolean one.",
        choices=["sat", "pb"],
    ),
    check: str | None = option(
        "--check FOLDER", "Check a bundle's hashes and proofs, and measure its band again."
    ),
    seconds: int = option(
        "--seconds N", "CPU seconds for a solver, with --check.", type=options.COUNT, default=5000
    ),
    seed: int = options.seed_option,
    clock: Limits = options.clock_option,
    as_json: bool = options.json_option,
    quiet: bool = options.quiet_option,
) -> int:
    """Make the formulas of the set, or those named, each with its board, answer, and proofs.

    The same seed and version make the same bytes. The manifest in the folder lists the files and
    their SHA-256.
    """
    from ponder.studies.formula_files import Manifest, hashes, make

    if check is not None:
        return _check(check, seconds, clock, quiet)
    if competition is not None:
        from ponder.studies.competition import bundle

        if names or output is None or listed or compare or as_json:
            raise click.UsageError("--competition takes a folder, -o, and no names of formulas")
        options.check_folder(output)
        with Progress(quiet) as progress:
            rows = bundle(competition, Path(output), seed, progress.say, clock)
        if not quiet:
            say(f"{row['sha256'][:16]}  {row['name']:<52}{row['answer']}" for row in rows)
        return 0
    recipes = _recipes(names, seed)
    if listed:
        answers = ["UNSATISFIABLE", "SATISFIABLE"]
        say(f"{recipe.name:<36}{answers[recipe.satisfiable]}" for recipe in recipes)
        return 0
    if output is None:
        raise click.UsageError("name a folder with -o, or --list")
    options.check_folder(output)
    expected = None if compare is None else Manifest.read(Path(compare))
    with Progress(quiet) as progress:
        made = make(recipes, Path(output), progress.say, clock, expected)
    if as_json:
        click.echo(made.text, nl=False)
    elif not quiet:
        total = 0
        for recipe in recipes:
            entry = made.formulas[recipe.name]
            sizes = f"{entry['variables']:>9,} variables {entry['clauses']:>9,} clauses"
            say([f"{recipe.name:<36}{sizes}  {entry['answer']}"])
            total += sum((Path(output) / name).stat().st_size for name in hashes(entry))
        say([f"{len(recipes)} formulas, {total / 1e6:.1f} MB with boards and proofs"])
        if expected is not None:
            say([f"{len(recipes)} formulas are those of {compare}"])
    return 0


def _check(folder: str, seconds: int, clock: Limits, quiet: bool) -> int:
    """Check a bundle and say what it holds, and what falls outside of the band."""
    from ponder.studies.competition import check, outside

    with Progress(quiet) as progress:
        rows, runs = check(Path(folder), seconds, progress.say, clock)
    if not quiet:
        for row in rows:
            own = (f"{run.solver} {run.seconds:.1f} {run.verdict}" for run in runs
                   if run.name == row["name"])  # fmt: skip
            say([f"{row['name']:<52}{row['proofs'] or 'an order':<14}{', '.join(own)}"])
        missing = [*outside(rows, runs)]
        say([f"{len(rows) - len(missing)} of {len(rows)} lie in the band; outside:", *missing])
    return 0


def _recipes(names: tuple[str, ...], seed: int) -> list[FormulaRecipe]:
    """Return the recipes of these names, or all. Raises UsageError for an unknown name."""
    from ponder.studies.formula_set import SET

    known = {recipe.name: recipe for recipe in SET}
    for name in names:
        if name not in known:
            hint = meant(name, known)
            raise click.UsageError(f"no formula is called {quoted(name)}; --list names them{hint}")
    return [replace(known[name], seed=seed) for name in dict.fromkeys(names or known)]
