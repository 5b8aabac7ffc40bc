// The tests of the engine under Pyodide (CPython on WebAssembly, 32 bits) in node.
//
//     node run.mjs RUNTIME WHEELS PYTEST-ARGUMENTS…
//
// RUNTIME: a folder with Pyodide, and the wheel of its numpy if it is not to be fetched; WHEELS: a
// folder of pure wheels (pytest, hypothesis, click, …), and python-sat for Pyodide if there is one.
// Exit code: pytest's.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";

const [runtime, wheels, ...args] = process.argv.slice(2);
const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const { loadPyodide } = await import(pathToFileURL(path.resolve(runtime, "pyodide.mjs")).href);
const write = (text) => process.stdout.write(text + "\n");
const py = await loadPyodide({ indexURL: path.resolve(runtime) + "/", stdout: write, stderr: write });

const site = py.runPython("import site; site.getsitepackages()[0]");
const local = (folder) =>
  fs.readdirSync(folder).filter((name) => name.endsWith(".whl")).map((name) => path.join(folder, name));
const found = [...local(wheels), ...local(runtime)];
for (const wheel of found) {
  py.unpackArchive(new Uint8Array(fs.readFileSync(wheel)), "wheel", { extractDir: site });
}
if (!found.some((wheel) => path.basename(wheel).startsWith("numpy-"))) await py.loadPackage("numpy");

const copy = (name) => {
  const from = path.join(project, name);
  if (fs.statSync(from).isFile()) return py.FS.writeFile(`/project/${name}`, fs.readFileSync(from));
  py.FS.mkdirTree(`/project/${name}`);
  for (const inside of fs.readdirSync(from)) if (inside !== "__pycache__") copy(`${name}/${inside}`);
};
py.FS.mkdirTree("/project");
for (const name of ["ponder", "encodings", "tests", "instances", "docs", "pyproject.toml"]) copy(name);
py.globals.set("ARGUMENTS", py.toPy(args));
let code = 3;
try {
  code = py.runPython(`
import importlib, os, sys
importlib.invalidate_caches()
sys.pycache_prefix = "/tmp/bytecode"
sys.path.insert(0, "/project")
os.chdir("/project")
import pytest

class Settings:
    """Those of pyproject.toml that belong to plugins which need threads or processes."""
    def pytest_addoption(self, parser):
        for name in ("timeout", "timeout_method"):
            parser.addini(name, "")

    def pytest_configure(self, config):
        config.addinivalue_line("markers", "timeout(seconds): nothing can end a test here")

options = ["--doctest-modules", "--import-mode=importlib", "-m", "not deep", "-p", "no:cacheprovider",
           "-p", "no:faulthandler", "--continue-on-collection-errors", "--capture=sys", "--tb=short", "-rs", "-q", "--color=no", "-o", "addopts="]
int(pytest.main([*options, *ARGUMENTS], plugins=[Settings()]))
`);
} catch (error) {
  write(error.message ?? String(error));
}
process.exit(code);
