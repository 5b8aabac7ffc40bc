"""The notebooks of the documents, in the site as `lite/`: to be run in the browser, by JupyterLite.

Where the page is (`play_page.py`) and JupyterLite is installed, the extra `lite`. Its kernel is
Pyodide, the same archive as the page's, and all that it may import lies beside it: ponder itself,
numpy, python-sat, the widget, IPython and what these need. A lock file of Pyodide's names them, so
nothing is loaded from elsewhere. Those that are plain Python are fetched by pip and kept. A comment
of the form `<!-- lite: WORDS -->` in a notebook becomes a link to it there.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import HeaderParser
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sphinx.application import Sphinx

COMMENT = re.compile(r"<!-- lite: (.*?) -->")
ROOT = Path(__file__).resolve().parents[2]
KERNEL = "micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython"
PLAIN = "micropip", "ipython", "jedi", "comm", "anywidget"  # and what these need
PYTHON = "3.14"  # Pyodide's
PLUGIN = "@jupyterlite/pyodide-kernel-extension"


def wanted(app: Sphinx) -> bool:
    """Whether there will be notebooks to run."""
    found = importlib.util.find_spec("jupyterlite_pyodide_kernel")
    return bool(app.config.parts) and found is not None


def on_read(app: Sphinx, name: str, source: list[str]) -> None:
    """Show the links that need JupyterLite."""
    if wanted(app):
        link = rf"<a href='lite/notebooks/index.html?path={name}.ipynb'>\1</a>"
        source[0] = COMMENT.sub(link, source[0])


def write(app: Sphinx, failed: Exception | None) -> None:
    """Build JupyterLite beside the documents."""
    if failed is None and wanted(app) and app.builder.format == "html":
        with TemporaryDirectory() as scratch:
            build(Path(app.outdir, "lite"), Path(app.config.parts), Path(scratch))


def build(target: Path, parts: Path, work: Path) -> None:
    """Write JupyterLite with the notebooks into a folder; `work` is an empty one."""
    files, home = work / "files", work / "static" / "pyodide"
    files.mkdir()
    home.mkdir(parents=True)
    for notebook in (ROOT / "docs").glob("*.ipynb"):
        shutil.copy(notebook, files)
    with tarfile.open(next(parts.glob("pyodide-*.tgz"))) as archive:
        archive.extractall(work, filter="data")
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        shutil.copy(work / "package" / name, home)
    wheels = [*parts.glob("*.whl"), *plain(parts / "lite"), *own(work)]
    lock = json.loads((work / "package" / "pyodide-lock.json").read_text("utf-8"))
    lock["packages"] = entries(wheels)
    (home / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")
    for wheel in wheels:
        shutil.copy(wheel, home)
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": KERNEL}}
    told = {"appName": "ponder", "litePluginSettings": {f"{PLUGIN}:kernel": kernel}}
    settings = {"jupyter-lite-schema-version": 0, "jupyter-config-data": told}
    (work / "jupyter-lite.json").write_text(json.dumps(settings), "utf-8")
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--no-sourcemaps"]
    command += ["--apps", "notebooks", "--contents", str(files), "--output-dir", str(target)]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"JupyterLite: {done.stderr or done.stdout}")


def plain(folder: Path) -> list[Path]:
    """Return the wheels in plain Python that the kernel needs; pip fetches them once."""
    if not folder.is_dir():
        with TemporaryDirectory(dir=folder.parent) as scratch:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", scratch]
            kind = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none"]
            subprocess.run([*pip, *kind, f"--python-version={PYTHON}", *PLAIN], check=True)
            shutil.copytree(scratch, folder)
    return sorted(folder.glob("*.whl"))


def own(work: Path) -> list[Path]:
    """Return the kernel's wheels, and one of ponder as it stands, put into a folder."""
    from ponder.system.version import __version__ as version

    made, told = work / f"ponder-{version}-py3-none-any.whl", f"ponder-{version}.dist-info"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as wheel:
        for above, _, names in os.walk(ROOT / "ponder", followlinks=True):
            for name in names:
                if not name.endswith((".pyc", ".so")):
                    path = Path(above, name)
                    wheel.write(path, path.relative_to(ROOT))
        needs = "".join(f"Requires-Dist: {name}\n" for name in ("numpy", "python-sat", "anywidget"))
        about = f"Metadata-Version: 2.1\nName: ponder\nVersion: {version}\n{needs}"
        wheel.writestr(f"{told}/METADATA", about)
        wheel.writestr(f"{told}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    share = Path(sys.prefix, "share", "jupyter", "labextensions", PLUGIN, "static", "pypi")
    return [made, *(wheel for wheel in share.glob("*.whl") if "widgets" not in wheel.name)]


def entries(wheels: list[Path]) -> dict[str, dict[str, Any]]:
    """Return what a lock file of Pyodide's says of some wheels, by name."""
    found, needs = {}, {}
    for path in wheels:
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
            (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
            told = HeaderParser().parsestr(wheel.read(about).decode("utf-8"))
        name = plain_name(told["Name"])
        needed = [x for x in told.get_all("Requires-Dist") or [] if "extra ==" not in x]
        needs[name] = [plain_name(each) for each in needed]
        modules = [name for name in names if name.endswith(".py")]
        found[name] = {
            "name": name,
            "version": told["Version"],
            "file_name": path.name,
            "sha256": sha256(path.read_bytes()).hexdigest(),
            "imports": sorted({name.split("/")[0].removesuffix(".py") for name in modules}),
            "install_dir": "site",
            "package_type": "package",
            "unvendored_tests": False,
        }
    return {
        name: {**told, "depends": [each for each in needs[name] if each in found]}
        for name, told in found.items()
    }


def plain_name(requirement: str) -> str:
    """Return the name that stands first, as indices compare it."""
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx when to do what."""
    app.connect("source-read", on_read)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
