"""`ponder schema`: the JSON Schemas of what the commands print and read.

The files lie in `docs/schemas/`; `ponder/cli/schemas` is a link to them, and an installed
package holds copies. A schema's name is the word in the key `schema`, without `ponder.` and the
version.
"""

from __future__ import annotations

import json
from importlib import resources

import click

from ponder.cli import options
from ponder.cli.options import argument
from ponder.system.errors import meant, quoted


@options.command(
    """
Examples:
  ponder schema                                 the names
  ponder schema result > result.schema.json
  ponder schema ponder.most-moves/1

Exit codes: 0 printed, 2 no such schema.
"""
)
def command(name: str | None = argument("[NAME]")) -> int:
    """Print the JSON Schema (draft 2020-12) of the objects called NAME; or list all names."""
    texts = schemas()
    if name is None:
        width = max(map(len, texts))
        for word, text in texts.items():
            click.echo(f"{word:<{width}}  {json.loads(text)['title']}")
        return 0
    bare = name.removeprefix("ponder.")
    for word, text in texts.items():
        if bare in (word, word.partition("/")[0]):
            click.echo(text, nl=False)
            return 0
    hint = meant(bare, texts, {word.partition("/")[0]: word for word in texts})
    raise click.UsageError(f"there is no schema {quoted(name)}; known: {', '.join(texts)}{hint}")


def schemas() -> dict[str, str]:
    """Return the schemas as text, by name and version.

    >>> list(schemas())[:3]
    ['atlas/1', 'check/1', 'count/1']
    """
    folder = resources.files("ponder.cli") / "schemas"
    found = {}
    for file in folder.iterdir():
        if file.name.endswith(".json"):
            word, _, version = file.name.removesuffix(".json").rpartition("-")
            found[f"{word.removeprefix('ponder.')}/{version}"] = file.read_text(encoding="utf-8")
    return dict(sorted(found.items()))
