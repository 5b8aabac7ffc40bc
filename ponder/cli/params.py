"""The options that commands share; a stack of options reaches its command as one argument."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Container, Iterable
from functools import partial, wraps
from itertools import chain
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ponder.cli.boards import Header
from ponder.cli.output import Showing
from ponder.model.formats import FORMATS
from ponder.model.graph import STENCILS
from ponder.model.presets import NAMES
from ponder.system.errors import BoardError
from ponder.system.limits import Limits

MOST = 10**9  # boards, trials, seconds and megabytes are counted up to this
PATTERNS = f"cross (the default), {', '.join(STENCILS)}, 'stencil 0,1 0,-1 …', 'toggles 0,1 …'"

Function = Callable[..., Any]
ONCE = {"odd", "fixed", "lit", "press_set", "formula", "proof", "lrat"}  # two may be meant together
COUNT, SEED, SHARE = click.IntRange(1, MOST), click.IntRange(0, 2**63 - 1), click.FloatRange(0, 1)


class _Command(click.Command):
    """A command that refuses an option of ONCE that is given twice; of others the last counts."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line. Raises UsageError."""
        for param in self.params:  # named as errors name them
            if isinstance(param.type, click.IntRange):
                param.type.name = "whole number"
            elif isinstance(param.type, click.FloatRange):
                param.type.name = "number of seconds" if param.metavar == "SECONDS" else "number"
        given = Counter(self.make_parser(ctx).parse_args(list(args))[2])
        for option, times in given.items():
            if option.name in ONCE and not option.multiple and times > 1:
                raise click.UsageError(f"{option.opts[-1]} is given {times} times", ctx)
        for pair in ({"count", "list_all"}, {"solver", "solver_cmd"}):
            both = [option.opts[-1] for option in given if option.name in pair]
            if len(both) > 1:
                raise click.UsageError(f"{' and '.join(both)}: give one of them", ctx)
        rest = super().parse_args(ctx, args)
        words = {name: x if isinstance(x, tuple) else (x,) for name, x in ctx.params.items()}
        refuse_inputs(words.pop("output", ()), chain.from_iterable(words.values()))
        return rest


def refuse_inputs(targets: Iterable[object], inputs: Iterable[object]) -> None:
    """Refuse to write into a file that is read; not all words are files. Raises BoardError."""
    written, read = (
        {os.stat(x)[1:3]: x for x in words if isinstance(x, str | Path) and os.path.isfile(x)}
        for words in (targets, inputs)
    )
    for same in written.keys() & read.keys():
        raise BoardError("it is an input: name another file for the output", str(written[same]))


def refuse(names: Container[str | None], reason: str) -> None:
    """Refuse an option of these names, where one was given. Raises UsageError."""
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name in names:
            raise click.UsageError(f"{option.opts[0]} {reason}")


def refuse_others(kept: Iterable[str], reason: str) -> None:
    """Refuse an option that was given and is not to be kept. Raises UsageError."""
    refuse(click.get_current_context().params.keys() - kept, reason)


def command(epilog: str) -> Callable[[Function], click.Command]:
    """Make a command of a function; its help is the docstring, then `epilog` as it is broken."""
    kept = "".join(f"\b\n{part}\n\n" for part in epilog.strip("\n").split("\n\n"))
    return click.command(cls=_Command, epilog=kept, context_settings={"show_default": True})


def stack(name: str, make: Function, *options: Function) -> Callable[[Function], Function]:
    """Return a decorator of several options, which reach the function as the argument `name`."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def gathered(**given: Any) -> Any:
            kept = {key: given.pop(key) for key in keys}
            return function(**{name: make(**kept)}, **given)

        keys: list[str] = []
        for option in reversed(options):
            option(gathered)
            keys.append(gathered.__click_params__[-1].name)  # type: ignore[attr-defined]
        return gathered

    return decorate


file_argument: Function = click.argument("file", metavar="FILE")
format_option: Function = click.option(
    "--format",
    metavar="NAME",
    help=f"The format of FILE, if its text fits several: {', '.join(FORMATS)}.",
)
line_option: Function = click.option(
    "--line", metavar="N", type=COUNT, help="Only the question that begins at line N of FILE."
)
texts = (
    ("--pattern", "PATTERN", f"What a press toggles, unless FILE says: {PATTERNS}."),
    ("--rule", "RULE", "Which bulbs may be pressed: unlit (default), lit, any."),
    ("--goal", "GOAL", "The goal: lit (default), unlit, pressed, or a board file."),
    ("--puzzle", "NAME", f"Pattern, rule, goal: {', '.join(NAMES)}."),
    ("--lit", "STATE", "What is lit at the start: lit, unlit, a file, or bulbs: `a,b`, `0,1;2,3`."),
)
stating = [click.option(name, metavar=word, help=text) for name, word, text in texts]
header_options: tuple[Function, ...] = (*stating, line_option, format_option)
header_option: Function = stack("header", Header, *header_options)
clock_option: Function = click.option(
    "--timeout",
    "clock",
    metavar="SECONDS",
    type=click.FloatRange(0, MOST),
    callback=lambda ctx, param, seconds: Limits.begin(seconds),
    help="Stop after this time, and print what is known (exit code 3).",
)
json_option: Function = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as JSON."
)
quiet: Callable[..., Function] = partial(click.option, "-q", "--quiet", is_flag=True)
quiet_option: Function = quiet(help="No progress and no remarks.")
coords_option: Function = click.option(
    "--coords",
    type=click.Choice(["rc", "xy"]),
    default="rc",
    help="Coordinates in texts: rc (row, column from the top left, from 0) or xy (IBM's column "
    "from the left, row from the bottom, from 1). Results and other objects in JSON are always rc.",
)
showing_option: Function = stack(
    "showing",
    Showing,
    json_option,
    quiet(help="The answer alone."),
    click.option("--trace", is_flag=True, help="Print the board after each press."),
    coords_option,
)
seed_option: Function = click.option(
    "--seed", metavar="N", type=SEED, default=0, help="Seed of all random choices."
)
press_set_option: Function = click.option(
    "--press-set", metavar="FILE", help="Just these presses: a grid, a press list, or a result."
)
odd_option: Function = click.option(
    "--odd", metavar="V,V,…", help="Vertices of odd out-degree; `all`; `none` (orient's default)."
)
fixed_option: Function = click.option(
    "--fixed", metavar="V:W,…", help="Arcs that it must have, from:to, or `none`."
)
about_option: Function = stack("about", dict, press_set_option, odd_option, fixed_option)
encoding_option: Function = click.option(
    "--encoding", metavar="NAME", help="The formula; `ponder export --list` lists them."
)
settings_option: Function = click.option(
    "--option", "settings", metavar="KEY=VALUE", multiple=True, help="An option of the encoding."
)
trials_option: Function = click.option(
    "--trials", metavar="N", type=COUNT, default=20, help="How often greedy tries."
)
