"""The pages of commands and of the library, written from the program when the site is built.

`docs/commands.md` and `docs/library.md` are beginnings; `docs/_ext/pages.py` appends this text.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import ponder

FENCE = "```"


def commands() -> Iterator[str]:
    """Yield what `ponder COMMAND --help` prints, with a heading for each."""
    from click import Context

    from ponder.cli import COMMANDS, cli

    top = Context(cli, info_name="ponder", max_content_width=100, terminal_width=100)
    for name in COMMANDS:
        command = cli.get_command(top, name)
        assert command is not None
        context = Context(command, parent=top, info_name=name, terminal_width=100)
        yield f"\n## ponder {name}\n\n{FENCE}text\n{command.get_help(context)}\n{FENCE}\n"


def library() -> Iterator[str]:
    """Yield every public name of `ponder` with its signature, docstring and public methods."""
    for name in sorted(ponder.__all__, key=str.lower):
        value = getattr(ponder, name)
        if not callable(value):
            continue
        yield f"\n## {name}\n\n" + "\n\n".join(_entry(f"ponder.{name}", value)) + "\n"
        for key, member in vars(value).items() if inspect.isclass(value) else ():
            function = getattr(member, "__func__", member)
            if key[0] != "_" and (inspect.isfunction(function) or isinstance(member, property)):
                yield f"\n### {name}.{key}\n\n" + "\n\n".join(_entry(key, function)) + "\n"


def _entry(name: str, value: object) -> Iterator[str]:
    """Yield the signature, the text and the examples of a docstring."""
    if callable(value) and not (inspect.isclass(value) and issubclass(value, Exception)):
        with_types = str(inspect.signature(value)).replace("'", "")
        short = re.sub(r"\b(?:ponder|numpy|collections|pathlib)\.(?:[a-z_]+\.)*", "", with_types)
        yield f"{FENCE}python\n{name.rpartition('.')[2]}{short}\n{FENCE}"
    text, example, examples = (inspect.getdoc(value) or "").partition(">>>")
    for part in re.split(r"\n\n", text.strip()):
        listed = re.search(r"^ {2,}|\n {2,}", part)
        if listed:
            yield f"{FENCE}text\n{part}\n{FENCE}"
        else:
            code = re.split(r"(`[^`]*`)", part)
            yield "".join(x if x[:1] == "`" else re.sub(r"([<>*_|])", r"\\\1", x) for x in code)
    if example:
        yield f"{FENCE}pycon\n>>>{examples.rstrip()}\n{FENCE}"
