"""The command line: `ponder COMMAND …`.

Each command has a module of its own, loaded only when it runs, so that `ponder --help` starts
fast. Answers go to standard output; progress, remarks and errors to standard error. Errors are
one line. Exit codes: 0 answered, 1 a check failed, 2 bad usage or bad input, 3 unknown,
130 interrupted, 143 terminated.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from ponder.system.errors import BadArgument, CheckFailed, PonderError
from ponder.system.limits import TimeUp
from ponder.system.printable import LONGEST_REASON, abridged, printable
from ponder.system.version import __version__

COMMANDS = {
    "order": "Find a legal order that presses each bulb at most once, or prove there is none.",
    "solve": "Find the fewest legal presses, repeats allowed, with a proved lower bound.",
    "orient": "Find an acyclic orientation with given odd out-degrees, or prove there is none.",
    "verify": "Check a result against its board, independently.",
    "prove": "Write a refutation as formula and proof for other checkers.",
    "draw": "Draw a board, presses, an order or a refusal: on the terminal, SVG, PNG, GIF, HTML.",
    "nullity": "Print the nullities of boards by size, and the patterns that change nothing.",
    "most-moves": "Bound how many presses the hardest board of a size needs.",
    "eliminate": "Solve the linear equations of a board step by step, as on paper.",
    "export": "Write the ordering question as a formula for any solver; list the encodings.",
    "decode": "Turn a solver's output back into a legal order, replayed.",
    "generate": "Make boards with known answers, graded by size, from a seed.",
    "compare": "Compare methods on many boards: who solves what, how fast, and do they agree?",
    "play": "Draw a board in the browser, see the answer, and play.",
    "site": "Write the page as a folder for any web server, engine included.",
}


class Commands(click.Group):
    """The commands by name; the help texts stand here so that no module must be loaded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        if cmd_name not in COMMANDS:
            return None
        module: Any = import_module(f"ponder.cli.{cmd_name.replace('-', '_')}")
        loaded: click.Command = module.command
        return loaded

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands, none of which is loaded."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  ponder order board.txt                      a legal order, or why there is none
  ponder order board.txt --json > answer.json
  ponder solve board.txt                      the fewest presses, repeats allowed
  ponder verify board.txt answer.json         check it, independently
  ponder draw board.txt --show presses        draw the board and its press set
  ponder draw board.txt answer.json -o order.gif
""",
)
@click.version_option(__version__, "-V", "--version", prog_name="ponder")
def cli() -> None:
    """Exact answers to light puzzles in which the order of the presses matters.

    A press toggles a bulb and its neighbours, only an unlit bulb may be pressed, and all must be
    lit in the end. ponder returns a legal order that it has replayed, or proves that none exists.
    """


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code; every error becomes one line."""
    code: object = 0
    try:
        code = cli.main(arguments, prog_name="ponder", standalone_mode=False)
        sys.stdout.flush()
    except CheckFailed as error:
        return _fail(str(error), 1)
    except BadArgument as error:
        return _fail(error.option, 2)
    except PonderError as error:
        return _fail(str(error), 2)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
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
    except (BrokenPipeError, SystemExit) as error:  # the reader went away, as in `ponder … | head`
        if getattr(error, "code", 1) != 1:  # with 1 click itself exits of a broken pipe
            raise
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        reason = "is no folder" if isinstance(error, FileExistsError) else error.strerror or error
        return _fail(f"{error.filename or 'output'}: {reason}", 2)
    except MemoryError:
        return _fail("this machine's memory is too small for this board", 2)
    return code if isinstance(code, int) else 0


def _fail(message: str, code: int) -> int:
    with suppress(OSError):  # a closed stream: the exit code says it all the same
        click.echo(abridged(printable(f"ponder: {message}"), LONGEST_REASON), err=True)
    return code
