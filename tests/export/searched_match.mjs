// Play the beginning of a match in Pyodide, as a page would: node searched_match.mjs PYODIDE ARCHIVE PROGRAM RULES COUNT.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, archive, program, rules, count] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/table" });
python.FS.chdir("/table");
python.pyimport("sys").path.insert(0, "/table");
python.runPython(readFileSync(program, "utf8"));
console.log(JSON.stringify(python.globals.get("answers")(rules, Number(count)).toJs()));
