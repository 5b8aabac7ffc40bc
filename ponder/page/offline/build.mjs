// Write the page as a folder: `ponder/page/site.py` says of what, in JSON on standard input.
//
//     { home, folder, icons, out, parts, version, start, ready }
//
// home       the folder with `pyodide.mjs`, whose Python compiles the modules that it will run
// folder     where the parts are; parts: the table `parts.toml`
// icons      a folder with the icons in pixels
// out        an empty folder
// version    ponder's; start, ready: what `start.json` and `ready.json` say
//
// The same sources give the same bytes. `.gz` and `.br` are for hosts that can use them.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

process.on("uncaughtException", (error) => {
  console.error(String(error.message ?? error).trim().split("\n").at(-1));
  process.exit(1);
});

const POLICY = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self' blob:",
  "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
  "require-trusted-types-for 'script'", "trusted-types ponder",
].join("; ");
const HEAD = `<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<link rel="manifest" href="site.webmanifest">
`;
const WORTH = 0.97; // compressed copies are kept below this share of the size

// Modules of ponder that no worker imports; and modules that come when they are first imported.
const NEVER = [
  "(cli|notebook)/", "studies/(?!(__init__|boards_to_play|families)\\.py$)", "page/(server|workers|site|parts)\\.py$",
  "pictures/(elimination|html|pixels)\\.py$", "proofs/write_veripb\\.py$",
].map((part) => `^ponder/${part}`).join("|");
const LATER = { pysat: "python-sat.tar.xz" };
const PAGE = path.dirname(import.meta.dirname);
const PACKAGE = path.dirname(PAGE);

const { home, folder, icons, out, parts, version, start, ready } = JSON.parse(fs.readFileSync(0, "utf8"));
const owner = {};

function put(part, name, content) {
  owner[name] = part;
  fs.writeFileSync(path.join(out, name), content);
}

function bytes(...names) { return new Uint8Array(fs.readFileSync(path.join(...names))); }

function sha256(content) { return createHash("sha256").update(content).digest("hex"); }

// ------------------------------------------------------------------------------- the archives

const { loadPyodide } = await import(pathToFileURL(path.join(home, "pyodide.mjs")).href);
const python = await loadPyodide({ stdout: console.error, stderr: console.error });
const packed = python.runPython(`
import io, lzma, os, re, tarfile, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash

def compiled(name, source):  # neither docstrings nor assertions, which only narrow types
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
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

def pack(contents, leave, target):
    files = []
    for name, content in sorted(contents.items()):
        if re.search(leave, name):
            continue
        if name.endswith(".py"):
            name, content = name + "c", compiled(name, content)
        files.append((name, content))
    made = io.BytesIO()
    (as_zip if target.endswith(".zip") else as_tar)(files, made)
    return made.getvalue()

def of_zip(content):
    with zipfile.ZipFile(io.BytesIO(content)) as found:
        return {name: found.read(name) for name in found.namelist() if name[-1] != "/"}

def of_files(files):
    return {name: content.to_bytes() for name, content in files.items()}

lambda source, leave, target: pack(
    of_zip(source.to_bytes()) if hasattr(source, "to_bytes") else of_files(source), leave, target)
`);
// Pack modules: `module.pyc` for every `module.py`, in a zip, from which Python can import, or a third
// smaller in `.tar.xz`.
function pack(part, source, leave, target) { put(part, target, packed(source, leave, target).toJs()); }

const [runtime, ...wheels] = parts;
pack(runtime.name, bytes(home, "python_stdlib.zip"), runtime.leave, "python_stdlib.zip");
for (const { name, file, leave } of wheels) pack(name, bytes(folder, file), leave, `${name}.tar.xz`);
const modules = walk(PACKAGE).filter((name) => name.endsWith(".py")).map((name) => [`ponder/${name}`, bytes(PACKAGE, name)]);
pack("ponder", python.toPy(new Map(modules), { depth: 1 }), NEVER, "ponder.tar.xz");

// Return the files below a folder; links are followed.
function walk(folder, above = "") {
  return fs.readdirSync(path.join(folder, above)).flatMap((name) => {
    const inside = path.posix.join(above, name);
    return fs.statSync(path.join(folder, inside)).isDirectory() ? walk(folder, inside) : [inside];
  });
}

// ------------------------------------------------------------------------------- the files

for (const name of fs.readdirSync(path.join(PAGE, "static"))) put("ponder", name, bytes(PAGE, "static", name));
for (const name of fs.readdirSync(icons)) put("ponder", name, bytes(icons, name));
for (const name of ["transport.js", "engine.js", "site.webmanifest"]) put("ponder", name, bytes(PAGE, "offline", name));
for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"]) put(runtime.name, name, bytes(home, name));
put("ponder", "start.json", JSON.stringify(start));
put("ponder", "ready.json", JSON.stringify(ready));
const lock = JSON.parse(fs.readFileSync(path.join(home, "pyodide-lock.json"), "utf8"));
put(runtime.name, "pyodide-lock.json", JSON.stringify({ ...lock, packages: {} })); // none is elsewhere
const page = fs.readFileSync(path.join(out, "index.html"), "utf8");
const scripts = fs.readdirSync(path.join(PAGE, "static")).filter((name) => name.endsWith(".js")); // all at once
const early = scripts.map((name) => `<link rel="modulepreload" href="${name}">\n`).join("");
put("ponder", "index.html", page.replace("<title>", `${HEAD}${early}<title>`));

const described = Object.keys(owner).sort().map((name) => {
  const content = fs.readFileSync(path.join(out, name));
  return [name, { bytes: content.length, sha256: sha256(content), part: owner[name] }];
});
const text = JSON.stringify({
  ponder: version,
  parts: parts.map(({ sources, leave, ...told }) => told),
  first: Object.keys(owner).filter((name) => name.endsWith(".xz") && !Object.values(LATER).includes(name)),
  later: LATER,
  files: Object.fromEntries(described),
}, null, 1);
put("ponder", "contents.json", text);
const script = fs.readFileSync(new URL("sw.js", import.meta.url), "utf8");
put("ponder", "sw.js", script.replace('VERSION = ""', `VERSION = "${sha256(text)}"`));

for (const name of Object.keys(owner).filter((x) => !/\.(zip|xz)$/.test(x))) {
  const content = fs.readFileSync(path.join(out, name));
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
  const twins = { gz: gzipSync(content, { level: 9 }), br: brotliCompressSync(content, quality) };
  for (const [ending, twin] of Object.entries(twins)) {
    if (twin.length < WORTH * content.length) fs.writeFileSync(path.join(out, `${name}.${ending}`), twin);
  }
}
