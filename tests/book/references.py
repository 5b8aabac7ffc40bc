"""The files that are made from the program: commands from click, the library from docstrings.

    docs/commands.md    what `ponder COMMAND --help` says, command by command
    docs/library.md     the public names, and what a method or a solver of your own is built from
    CITATION.cff        how to cite it, from `pyproject.toml`
    README.md           its pictures open the published page, once its address is known
    docs/trust.md       the tables of the kinds of evidence
    docs/schemas/*      the names of the patterns and the kinds of evidence; the rest is by hand

They are kept with the others, so that all pages can be read without a build; a test compares, and
`python -m tests.book.references` writes them anew.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

import click

import ponder
from ponder.apps.cli import COMMANDS, cli
from ponder.check.kinds import Bound, Evidence, Refutation
from ponder.check.result import TABLE
from ponder.check.written import schema_of
from ponder.model.graph import NAMED
from ponder.proofs.clausal import TECHNIQUES
from ponder.proofs.coq import KINDS as COQ
from ponder.proofs.cutting_planes import WRITERS
from ponder.system.limits import NEVER
from tests import doors
from tests.apps.pictures.gallery import linked, published

ROOT = Path(__file__).resolve().parents[2]
MADE = "<!-- made by `python -m tests.book.references`; do not edit -->"
WIDTH = 92

BEYOND = {
    "Linear algebra": [
        ("ponder.lights_out.nullities", "nullity_of"),
        ("ponder.lights_out.covers", "covers"),
        ("ponder.lights_out.most_moves", "most_moves"),
    ],
    "Formulas and solvers": [
        ("ponder.model.ordering_problem", "OrderingProblem"),
        ("ponder.encodings.registry", "encoder"),
        ("ponder.formulas.encoder", "Encoder"),
        ("ponder.find.solvers.decoding", "decode"),
        ("ponder.find.solvers.sat", "solve"),
    ],
    "Studies": [
        ("ponder.apps.studies.study", "Study"),
        ("ponder.apps.studies.boards_to_play", "board_to_play"),
        ("ponder.apps.studies.boards_to_play", "daily"),
    ],
    "Time": [
        ("ponder.system.limits", "Limits"),
    ],
}
"""Names that the guides use and that may still move: from where they lie now."""


def commands_page() -> str:
    """Return the reference of all commands."""
    parts = [
        MADE,
        "# Commands",
        "This page is what `ponder COMMAND --help` prints. All commands share these exit codes:\n"
        "0 answered (either way), 1 a check failed, 2 bad usage or bad input (one line says which),"
        "\n3 unknown, 130 interrupted (143 by SIGTERM, 129 by SIGHUP).",
        "\n".join(
            f"| [`ponder {name}`](#ponder-{name}) | {text} |" for name, text in COMMANDS.items()
        ).join(["| command | |\n|---|---|\n", ""]),
    ]
    with click.Context(cli, info_name="ponder", **cli.context_settings) as context:
        for name in COMMANDS:
            command = cli.get_command(context, name)
            assert command is not None
            parts += [f"## ponder {name}", _command(command, context, name)]
    return "\n\n".join(parts) + "\n"


def _command(command: click.Command, parent: click.Context, name: str) -> str:
    with click.Context(command, info_name=name, parent=parent) as context:
        usage = " ".join(["ponder", name, *command.collect_usage_pieces(context)])
        records = [
            record
            for parameter in command.get_params(context)
            if isinstance(parameter, click.Option)
            and (record := parameter.get_help_record(context)) is not None
        ]
        examples, rest = _epilog(inspect.cleandoc(command.epilog or ""))
        help_text = inspect.cleandoc(command.help or "").replace("\b\n", "")
        parts = [f"```text\n{usage}\n```", _plain(help_text)]
        parts.append(
            "\n".join(
                [
                    "| option | |",
                    "|---|---|",
                    *(f"| `{_cell(o)}` | {_cell(t)} |" for o, t in records),
                ]
            )
        )
        if examples:
            parts.append("```text\n" + examples + "\n```")
        if rest:
            parts.append(_plain(rest))
    return "\n\n".join(parts)


def _epilog(text: str) -> tuple[str, str]:
    """Return the examples of a command's last words, and the rest."""
    examples, rest = [], []
    for paragraph in re.split(r"\n\s*\n", text.replace("\b\n", "")):
        head, _, body = paragraph.partition("\n")
        if head.strip() == "Examples:":
            examples.append(inspect.cleandoc(body))
        elif head.strip() == "Families:":
            rest.append("Families:\n\n```text\n" + inspect.cleandoc(body) + "\n```")
        elif paragraph.strip():
            rest.append(paragraph)
    return "\n".join(examples), "\n\n".join(rest)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _plain(text: str) -> str:
    """Return a text in which no sign is Markdown's; code in backticks stays."""
    parts = re.split(r"(```.*?```|`[^`\n]*`)", text, flags=re.DOTALL)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<\[\]])", r"\\\1", part) for part in parts
    )


LIBRARY = """\
```python
import ponder

board = ponder.read("instances/ibm-2023-04-30x30.txt")
result = ponder.order(board)  # or ponder.solve(board)
assert result.verdict == "solved" and result.count == 429 and result.optimal
ponder.verify(board, result.to_json())  # raises CheckFailed if anything is wrong
```"""


def library_page() -> str:
    """Return the reference of the library."""
    parts = [
        MADE,
        "# Library",
        "*How do I ask ponder from my own code?*",
        LIBRARY,
        "The names of this first section stay where they are. Every module says more in its "
        "first\nlines, and [architecture.md](architecture.md) says which module does what.",
        "## Public names",
    ]
    for name in sorted(ponder.__all__, key=lambda word: (word[0].isupper(), word)):
        if not name.startswith("__"):
            parts += _entry(f"ponder.{name}", getattr(ponder, name))
    parts += [
        "## Further in",
        "The guides use these names as well. They may move from one version to the next, and\n"
        "[the changelog](../CHANGELOG.md) says when they do.",
    ]
    for heading, names in BEYOND.items():
        parts += [f"### {heading}"]
        for module, name in names:
            found = getattr(importlib.import_module(module), name)
            parts += _entry(f"{module}.{name}", found, "####")
    return "\n\n".join(parts) + "\n"


def _entry(name: str, thing: object, level: str = "###") -> Iterator[str]:
    """Yield a name's heading, its signature, what its docstring says, and its members'."""
    yield f"{level} {name}"
    if inspect.isclass(thing) and issubclass(thing, Exception):
        yield from _doc(thing)
        return
    yield f"```py\n{_signature(name.rpartition('.')[2], thing)}\n```"
    yield from _doc(thing)
    if inspect.isclass(thing):
        ours = [base for base in reversed(thing.__mro__) if base.__module__.startswith("ponder.")]
        for key, member in {k: v for base in ours for k, v in vars(base).items()}.items():
            function = getattr(member, "__func__", getattr(member, "fget", member))
            if key.startswith("_") or not inspect.isfunction(function):
                continue
            what = "property" if isinstance(member, property) else "method"
            said = (
                f"{key}: {_result(function)}" if what == "property" else _signature(key, function)
            )
            yield f"*{what}*\n\n```py\n{said}\n```"
            yield from _doc(member)


def _signature(name: str, thing: object) -> str:
    """Return a call as one would write its `def`: on one line if it fits."""
    assert callable(thing)
    signature = inspect.signature(thing)
    words: list[str] = []
    before = None
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and before is not parameter.KEYWORD_ONLY:
            words.append("*")
        words.append(_parameter(parameter))
        before = parameter.kind
    tail = _annotation(signature.return_annotation, " -> {}")
    text = f"{name}({', '.join(words)}){tail}"
    if len(text) <= WIDTH:
        return text
    return "\n".join([f"{name}(", *(f"    {word}," for word in words), f"){tail}"])


def _parameter(parameter: inspect.Parameter) -> str:
    star = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind.name, "")
    text = star + parameter.name + _annotation(parameter.annotation, ": {}")
    default = parameter.default
    if default is parameter.empty:
        return text
    if default is NEVER:
        return f"{text} = NEVER"
    if inspect.isfunction(default):
        return f"{text} = {'…' if default.__name__ == '<lambda>' else default.__name__}"
    said = repr(default)
    return f"{text} = {'…' if ' at 0x' in said or said.startswith('<') else said}"


def _annotation(annotation: object, form: str) -> str:
    if annotation is inspect.Signature.empty:
        return ""
    said = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return form.format(said or annotation)


def _result(function: object) -> str:
    assert callable(function)
    return _annotation(inspect.signature(function).return_annotation, "{}")


def _doc(thing: object) -> Iterator[str]:
    """Yield a docstring as Markdown: doctests and tables of indented lines become code."""
    text = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.startswith(">>>"):
            yield f"```pycon\n{paragraph}\n```"
        elif section := re.match(r"(\w+)\n-+\n", paragraph):
            yield f"*{section[1]}*"
            items = re.findall(r"^(\S.*)((?:\n    .*)*)", paragraph[section.end() :], re.MULTILINE)
            said = [f"* `{name}`: {_plain(text)}" for name, text in items]
            yield "\n".join(fill(item, WIDTH, subsequent_indent="  ") for item in said)
        elif paragraph.startswith(("  ", "`")) and re.search(r"^`\w+`  ", paragraph, re.MULTILINE):
            yield "```text\n" + paragraph.replace("`", "") + "\n```"
        elif re.match(r"\s{4}", paragraph):
            yield "```text\n" + inspect.cleandoc("\n" + paragraph) + "\n```"
        elif paragraph:
            yield _plain(paragraph)


CITATION = """\
# made by `python -m tests.book.references` from pyproject.toml
cff-version: 1.2.0
message: If you use ponder in your work, please cite it as below.
type: software
title: ponder
abstract: {description}.
version: {version}
license: {license}
authors:
  - name: The ponder developers
keywords:
{keywords}
"""


def citation() -> str:
    """Return the file that says how to cite the project; its address if there is one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = CITATION.format(
        description=project["description"],
        version=ponder.__version__,
        license=project["license"],
        keywords="\n".join(f"  - {json.dumps(word)}" for word in project["keywords"]),
    )
    source = project.get("urls", {}).get("Source")
    return text if source is None else text + f"repository-code: {json.dumps(source)}\n"


_PATTERN = re.compile(r'"description": "cross, [^"]*",(\s+)"pattern": "\^\(cross\|[^"]*"')
_PATTERNS = (
    f'"description": "{", ".join(NAMED)}, stencil …, toggles …, graph, or wiring",\\g<1>'
    f'"pattern": "^({"|".join(NAMED)}|graph|wiring|stencil( .*)?|(torus-)?toggles( .*)?)$"'
)


def schema(file: str) -> str:
    """Return a published schema, with the patterns that have a name today, and the evidence."""
    text = _PATTERN.sub(_PATTERNS, (ROOT / file).read_text(encoding="utf-8"))
    return result_schema(json.loads(text)) if file.endswith("ponder.result-1.json") else text


def result_schema(content: dict[str, Any]) -> str:
    """Return the schema of results with the kinds of evidence, and which may stand where."""
    for name, sort in (("refutation", Refutation.kinds()), ("bound", Bound.kinds())):
        defined = content["$defs"][name]
        defined["properties"]["kind"]["enum"] = [*sort]
        defined["oneOf"] = [_of_kind(sort[word]) for word in sort]
    for row in content["oneOf"]:
        said = row["properties"]
        asked = tuple(said[key]["const"] for key in ("command", "verdict", "claim"))
        for why in [said["refutation"], *said["refutation"].get("anyOf", [])]:
            if "properties" in why:
                why["properties"]["kind"]["enum"] = list(TABLE[asked].refutations)
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _of_kind(kind: type[Evidence]) -> dict[str, Any]:
    """Return what the schema says of one kind: its sentence, and its fields by their types."""
    claim = getattr(kind, "claim", None)
    said = f"{f'{claim}: ' if claim else ''}{str(kind.__doc__).partition('.')[0]}"
    found: dict[str, Any] = {"description": " ".join(said.split()), **schema_of(kind)}
    found["properties"] = {"kind": {"const": kind.kind}, **found["properties"]}
    return found | {"required": ["kind", *found["required"]]}


SCHEMAS = sorted(f"docs/schemas/{path.name}" for path in (ROOT / "docs/schemas").glob("*.json"))


_GENERAL = ("kinds", "written", "fields", "limits", "naming")  # what all kinds rest on


def trust() -> str:
    """Return the page about what has to be believed, with a row for every kind of evidence."""
    text = (ROOT / "docs/trust.md").read_text(encoding="utf-8")
    proofs = [why for why in Refutation.kinds().values() if why.claim is not None]
    proofs.sort(key=lambda why: str(why.claim), reverse=True)
    for heading, rows in (
        ("Verdict `impossible`", [_refuting(why) for why in proofs]),
        ("Lower bounds", [_trusted(kind, []) for kind in Bound.kinds().values()]),
    ):
        before, after = text.split(f"## {heading}", 1)
        head, _, rest = re.split(r"(?<=---\|\n)((?:\|.*\n)*)", after, maxsplit=1)
        text = "".join([before, f"## {heading}", head, *rows, rest])
    return text


def _refuting(why: type[Refutation]) -> str:
    outside = ["LRAT, DRAT"] * (why.kind in TECHNIQUES)
    outside += ["VeriPB"] * (why.kind in {*TECHNIQUES, *WRITERS})
    return _trusted(why, [", ".join(outside) or "–", "yes" if why.kind in COQ else "no"])


def _trusted(kind: type[Evidence], more: list[str]) -> str:
    """Return the row of a kind: its file and what that is built from, and its theorem."""
    used = sorted(doors.imports()[kind.__module__])
    parts = [name.split(".", 2)[2] for name in used if name.startswith("ponder.check.")]
    files = [f"`{name.replace('.', '/')}`" for name in parts if name not in _GENERAL]
    code = f"`{kind.__module__.removeprefix('ponder.').replace('.', '/')}.py`"
    code += f" with {', '.join(files)}" if files else ""
    claim = [str(kind.claim)] if issubclass(kind, Refutation) else []
    return f"| {' | '.join([f'`{kind.kind}`', *claim, code, kind.theory, *more])} |\n"


def readme() -> str:
    """Return the README as it stands, its pictures linked to the page in the published site."""
    return linked((ROOT / "README.md").read_text(encoding="utf-8"), published())


MADE_FILES: dict[str, Callable[[], str]] = {
    "docs/commands.md": commands_page,
    "docs/library.md": library_page,
    "CITATION.cff": citation,
    "README.md": readme,
    "docs/trust.md": trust,
    **{file: partial(schema, file) for file in SCHEMAS},
}
"""By file, what makes it."""

if __name__ == "__main__":
    for file, make in MADE_FILES.items():
        (ROOT / file).write_text(make(), encoding="utf-8")
