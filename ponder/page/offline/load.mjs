// Let the loader of a distribution of Pyodide fetch one of its packages, in node.
//
//     node load.mjs HOME FOLDER NAME     HOME: the folder with `pyodide.mjs`; FOLDER keeps the package

import { pathToFileURL } from "node:url";

const [home, folder, name] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`).href);
const failed = (words) => { console.error(words); process.exitCode = 1; };
const pyodide = await loadPyodide({ packageCacheDir: folder });
await pyodide.loadPackage(name, { messageCallback() {}, errorCallback: failed });
