"""A folder with the whole page, engine included, for any static host (`ponder site`).

    index.html, *.js, page.css, …   the page; `offline/transport.js` in the place of the server's
    pyodide.*, python_stdlib.zip    Python for WebAssembly
    numpy.tar.xz, ponder.tar.xz, …  what it imports, compiled: that halves the time to start
    contents.json                   every file with size and SHA-256, every part with its licence
    *.gz, *.br                      the same files, packed for hosts that can use them

The same parts and the same ponder give the same bytes. Nothing in it names another place: it works
under any path, and the page's content security policy forbids to load anything from elsewhere.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from ponder.errors import PonderError
from ponder.page import offers, static_files
from ponder.page.parts import Part, parts, run, taken
from ponder.version import __version__

PACKAGE: Final = Path(__file__).parent.parent
OFFLINE: Final = Path(__file__).with_name("offline")

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types ponder"
)
HEAD: Final = f"""<meta http-equiv="content-security-policy" content="{POLICY}">
<meta name="referrer" content="no-referrer">
<link rel="manifest" href="site.webmanifest">
"""
NEVER: Final = r"ponder/(cli|studies|notebook)/|ponder/page/(server|workers|site|parts)\.py$"
"""Modules of ponder that no worker imports."""

LATER: Final = {"pysat": "python-sat.tar.xz"}
"""Modules that come, with their archives, when they are first imported."""

STANDARD: Final = "python_stdlib.zip"  # Python imports from it as it is

MOST: Final = 0.97  # packed twins are kept below this share of the size


def build(target: Path, folder: Path) -> dict[str, Any]:
    """Write the page into the folder `target`, out of the parts in `folder`; return its contents.

    What an earlier build left in `target` is replaced; anything else there is refused. PonderError
    where a part is missing, or node, or nothing can be written.
    """
    if target.exists() and not _is_ours(target):
        raise PonderError(f"{target}: is there already, and no site of ponder's")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".ponder-", dir=target.parent) as scratch:
            made, old = Path(scratch, "made"), Path(scratch, "old")
            made.mkdir()
            contents = _write(made, folder)
            if target.exists():
                target.rename(old)
            made.rename(target)
    except OSError as error:
        raise PonderError(f"{target}: cannot be written: {error.strerror or error}") from None
    return contents


def _is_ours(target: Path) -> bool:
    if not target.is_dir():
        return False
    names = os.listdir(target)
    return not names or {"contents.json", "ponder.tar.xz"} <= set(names)


def _write(made: Path, folder: Path) -> dict[str, Any]:
    """Write all files into an empty folder; return its contents."""
    table, owner = parts(), dict[str, str]()

    def put(name: str, content: bytes, part: str = "ponder") -> None:
        (made / name).write_bytes(content)
        owner[name] = part

    for part in table:
        for name, content in _unpacked(part, taken(folder, part)):
            put(name, content, part.name)
    put("ponder.zip", _zipped(_modules()))
    words = list[object]()
    for source in [name for name in owner if name.endswith(".zip")]:
        made_of = source if source == STANDARD else source.replace(".zip", ".tar.xz")
        words += [0 if source == "ponder.zip" else 2, source, made_of]  # our docstrings are used
        owner[made_of] = owner.pop(source)
    run("node", OFFLINE / "compile.mjs", made, made, *words)

    for name, (content, _) in static_files().items():
        put(name, content)
    for name in ("transport.js", "engine.js", "site.webmanifest"):
        put(name, (OFFLINE / name).read_bytes())
    page = (made / "index.html").read_text(encoding="utf-8")
    put("index.html", page.replace("<title>", HEAD + "<title>", 1).encode())
    put("start.json", json.dumps(offers()).encode())

    first = [name for name in sorted(owner) if name.endswith(".xz") and name not in LATER.values()]
    described = ("name", "version", "about", "licence", "file", "sha256")
    contents = {
        "ponder": __version__,
        "parts": [{key: getattr(part, key) for key in described} for part in table],
        "first": first,
        "later": LATER,
    }
    contents = seal(made, owner, contents)
    for path in sorted(made.iterdir()):
        if path.suffix not in (".zip", ".xz"):
            _pack(path)
    return contents


def seal(made: Path, owner: Mapping[str, str], contents: dict[str, Any]) -> dict[str, Any]:
    """Write what a folder contains, and the script that keeps it."""
    files = {
        name: {"bytes": len(content), "sha256": sha256(content).hexdigest(), "part": owner[name]}
        for name in sorted(owner)
        for content in [(made / name).read_bytes()]
    }
    contents = {**contents, "files": files}
    text = json.dumps(contents, indent=1).encode()
    (made / "contents.json").write_bytes(text)
    script = (OFFLINE / "sw.js").read_text(encoding="utf-8")
    version = f'VERSION = "{sha256(text).hexdigest()}"'
    (made / "sw.js").write_text(script.replace('VERSION = ""', version, 1), encoding="utf-8")
    return contents


def _unpacked(part: Part, archive: bytes) -> Iterable[tuple[str, bytes]]:
    """Yield the files that the page needs of a part."""

    def wanted(name: str) -> bool:
        return bool(re.search(part.keep, name)) and not re.search(part.leave, name)

    if part.file.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(archive)) as wheel:
            names = sorted(name for name in wheel.namelist() if name[-1] != "/" and wanted(name))
            yield f"{part.name}.zip", _zipped((name, wheel.read(name)) for name in names)
        return
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        for entry in packed:
            file = packed.extractfile(entry)
            if file is None or not wanted(entry.name):
                continue
            name, content = entry.name.rpartition("/")[2], file.read()
            if name.endswith(".zip"):
                with zipfile.ZipFile(io.BytesIO(content)) as inside:
                    names = sorted(x for x in inside.namelist() if wanted(f"{entry.name}/{x}"))
                    content = _zipped((name, inside.read(name)) for name in names)
            elif name == "pyodide-lock.json":  # of packages that are elsewhere: none
                content = json.dumps({**json.loads(content), "packages": {}}).encode()
            yield name, content


def _modules() -> Iterable[tuple[str, bytes]]:
    """Yield ponder's modules that a worker may import."""
    found = []
    for folder, _, names in os.walk(PACKAGE, followlinks=True):
        found += [Path(folder, name) for name in names if name.endswith(".py")]
    for path in sorted(found):
        name = path.relative_to(PACKAGE.parent).as_posix()
        if not re.search(NEVER, name):
            yield name, path.read_bytes()


def _zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name), content)
    return made.getvalue()


def _pack(path: Path) -> None:
    """Write the packed twins of a file, where they are smaller; `.br` needs the library brotli."""
    content = path.read_bytes()
    packers: dict[str, Callable[[bytes], bytes]] = {"gz": lambda x: gzip.compress(x, 9, mtime=0)}
    if find_spec("brotli"):
        import brotli

        packers["br"] = lambda x: brotli.compress(x, quality=10)
    for ending, pack in packers.items():
        packed = pack(content)
        if len(packed) < MOST * len(content):
            path.with_name(f"{path.name}.{ending}").write_bytes(packed)
