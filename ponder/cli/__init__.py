"""The command line: `ponder COMMAND …`.

Each command has a module of its own, loaded only when it runs, so that `ponder --help` starts
fast. Answers go to standard output; progress, remarks and errors to standard error. Errors are
one line. Exit codes: 0 answered, 1 a check failed, 2 bad usage or bad input, 3 unknown,
130 interrupted, 143 terminated and 129 hung up (128 and the signal's number).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

import click

from ponder.system import signals
from ponder.system.errors import BadArgument, CheckFailed, PonderError
from ponder.system.limits import TimeUp
from ponder.system.printable import LONGEST_REASON, abridged, printable
from ponder.system.version import __version__

COMMANDS = {
    "order": "Find a legal order that presses each bulb at most once, or prove there is none.",
    "solve": "Find the fewest legal presses, repeats allowed, with a proved lower bound.",
    "verify": "Check a result against its board, independently.",
    "prove": "Write a refutation as formula and proof for checkers from outside.",
    "compare": "Compare methods on many boards: who solves what, how fast, and do they agree?",
    "report": "Print the tables of a study again, and draw its plots.",
    "show": "Draw a board, and the bulbs to press.",
    "draw": "Draw a board, presses, an order or a refusal: SVG, PNG, GIF, APNG.",
    "sheet": "Print boards on pages, several a page, with their solutions apart: PDF, SVG.",
    "shapes": "List shapes of boards by name, with pictures: hex, cube, torus, petersen, …",
    "eliminate": "Solve the linear equations of a board step by step, as on paper.",
    "play": "Draw a board in the browser, see the answer, and play.",
    "site": "Write the page as a folder for any web server, engine included.",
    "export": "Write the ordering question as a formula for any solver.",
    "decode": "Turn a solver's output back into a legal order, replayed.",
    "encodings": "List the encodings and their options, with sizes for a board.",
    "generate": "Make boards with known answers, graded by size, from a seed.",
    "atlas": "Find the fewest presses of every board of a shape, and a hardest board.",
    "nullity": "Print the nullities of boards by size, without their matrices.",
    "covers": "Draw the press sets that change nothing, and the regions they make.",
    "most-moves": "Bound how many presses the hardest board of a size needs, in any order.",
    "orient": "Find an acyclic orientation with given odd out-degrees, or prove there is none.",
    "schema": "Print the JSON Schema of what `--json` prints.",
}


BEGUN = "ponder.begun"  # where a context keeps when the module of its command began to be loaded
VERBOSE = "ponder.verbose"  # whether more is asked of `--version`
ALSO = {"help": "--help", "version": "--version", "check": "verify", "serve": "play"}
"""What people type elsewhere, to be asked whether they mean that."""


class Commands(click.Group):
    """The commands by name; the help texts stand here so that no module must be loaded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        if cmd_name not in COMMANDS:
            return None
        ctx.meta[BEGUN] = time.perf_counter()
        command = import_module(f"ponder.cli.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; `--version` has to know of a `--verbose` that follows it."""
        ctx.meta[VERBOSE] = "--verbose" in args
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a usage error that says which one may be meant."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from ponder.system.errors import meant, quoted

            ctx.fail(f"No such command {quoted(args[0])}{meant(args[0], COMMANDS, ALSO)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; click itself would write an empty line at Ctrl-C."""
        with signals.command():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _say_version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    click.echo(f"ponder, version {__version__}")
    if ctx.meta[VERBOSE]:
        click.echo("\n".join(_versions()))
    ctx.exit()


def _versions() -> Iterator[str]:
    """Yield the system, the libraries with their extras, the SAT solvers on the path."""
    import platform
    import re
    import shutil
    import struct
    from importlib import metadata

    from ponder.find.solvers.known_solvers import COMMANDS as SOLVERS

    machine = f"{platform.system()} {platform.machine()}, {8 * struct.calcsize('P')} bits"
    yield f"Python {platform.python_version()}, {machine}"
    requirements: list[str] = []
    with suppress(metadata.PackageNotFoundError):  # run where it lies
        requirements = metadata.requires("ponder") or []
    for requirement in requirements:
        found = re.match(r"([\w.-]+)(?:.*extra\s*==\s*['\"](\w+)['\"])?", requirement)
        if found is not None and found[2] not in ("dev", "docs"):
            version = "missing"
            with suppress(metadata.PackageNotFoundError):
                version = metadata.version(found[1])
            yield f"{found[1]:<14} {version}" + (f" (extra {found[2]})" if found[2] else "")
    for program in SOLVERS:
        yield f"{program:<14} {shutil.which(program) or 'missing'} (a SAT solver on the path)"


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  ponder order board.txt                      a legal order, or why there is none
  ponder order board.txt --json > answer.json
  ponder solve board.txt                      the fewest presses, repeats allowed
  ponder verify board.txt answer.json         check it, independently
  ponder show board.txt --presses             draw the board and its press set
  ponder draw board.txt answer.json -o order.gif
""",
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_say_version,
    help="Show the version and exit; with --verbose also what ponder found, and what is missing.",
)
@click.option("--verbose", is_flag=True, hidden=True)
def cli(verbose: bool) -> None:
    """Exact answers to light puzzles in which the order of the presses matters.

    A press toggles a bulb and its neighbours, only an unlit bulb may be pressed, and all must be
    lit in the end. ponder returns a legal order that it has replayed, or proves that none exists.
    """
    if verbose:
        raise click.UsageError("--verbose needs --version")


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    signals.listen()
    replace_closed()
    signals.leave(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code; every error becomes one line."""
    try:
        return _run(arguments)
    except BaseException:
        # a signal can become any exception on its way through C code
        if signals.enough() is None:
            raise
        return _fail("", 1)


def _run(arguments: list[str] | None) -> int:
    try:
        code = cli.main(arguments, prog_name="ponder", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except CheckFailed as error:
        return _fail(str(error), 1)
    except BadArgument as error:
        return _fail(error.option, 2)
    except PonderError as error:
        return _fail(str(error), 2)
    except click.exceptions.NoArgsIsHelpError as error:
        with suppress(OSError):
            click.echo(error.format_message())
        drop_broken_output()
        return 2
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        path = context.command_path if context is not None else "ponder"
        message = error.format_message().replace("\n", " ")
        return _fail(f"{message} (see `{path} --help`)", 2)
    except TimeUp as stopped:  # before there was anything to answer about
        return _fail(f"unknown: {stopped}", 3)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", 130)
    except signals.Ended as ended:
        return _fail(str(ended), ended.code)
    except BrokenPipeError:  # the reader went away, as in `ponder … | head`
        drop_broken_output()
        return 0
    except OSError as error:
        return _fail(f"{error.filename or 'output'}: {error.strerror or error}", 2)
    except MemoryError:
        return _fail("this machine's memory is too small for this board", 2)


def _fail(message: str, code: int) -> int:
    # what goes wrong after a signal is a consequence of it
    message, code = signals.enough() or message, signals.received() or code
    with suppress(OSError):  # nobody hears it: the exit code says it all the same
        click.echo(abridged(printable(f"ponder: {message}"), LONGEST_REASON), err=True)
    drop_broken_output()
    return code


# --------------------------------------------------------------- streams that are closed or break


def replace_closed() -> None:
    """See to it that the numbers 0, 1 and 2 are taken, and that Python has streams for them.

    With `ponder … >&-` the number 1 is free: the next file that is opened would get it, and
    whatever a child process prints would land in that file. So a closed stream is replaced by one
    that is open the wrong way round: reading and writing fail with the system's own words.
    """
    for number, way in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, way)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)


def drop_broken_output() -> None:
    """Forget what standard output could not take, lest Python fails once more when it exits."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
