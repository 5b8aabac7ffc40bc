// Compile the modules in archives to bytecode, by the Python that will run them: in node.
//
//     node compile.mjs PYODIDE FOLDER LEVEL SOURCE TARGET [LEVEL SOURCE TARGET …]
//
// PYODIDE: the folder with `pyodide.mjs`. In FOLDER, SOURCE (a zip) gives way to TARGET, which holds
// `module.pyc` for every `module.py`: a zip, from which Python can import, or a third smaller as
// `.tar.xz`. LEVEL: 0, or 2 without docstrings and assertions. The same sources give the same bytes.

import path from "node:path";
import { pathToFileURL } from "node:url";

const [home, folder, ...wanted] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.resolve(home, "pyodide.mjs")).href);
const python = await loadPyodide({ stdout: console.error, stderr: console.error });
python.FS.mkdir("/archives");
python.FS.mount(python.FS.filesystems.NODEFS, { root: path.resolve(folder) }, "/archives");
python.globals.set("wanted", python.toPy(wanted));
python.runPython(`
import io, lzma, os, tarfile, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash

def compiled(name, source, level):
    code = compile(source, name, "exec", dont_inherit=True, optimize=level)
    return _code_to_hash_pyc(code, source_hash(source), False)

def as_zip(files, made):
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)

def as_tar(files, made):
    files.sort(key=lambda file: (os.path.splitext(file[0])[1], file[0]))  # like stands by like
    with lzma.open(made, "wb", preset=9) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))

for level, source, target in zip(wanted[::3], wanted[1::3], wanted[2::3]):
    files = []
    with zipfile.ZipFile("/archives/" + source) as found:
        for name in found.namelist():
            content = found.read(name)
            if name.endswith(".py"):
                name, content = name + "c", compiled(name, content, int(level))
            files.append((name, content))
    os.remove("/archives/" + source)
    with open("/archives/" + target, "wb") as file:
        (as_zip if target.endswith(".zip") else as_tar)(files, file)
`);
