// Run commands of rulekit in Pyodide, one after the other: node in_pyodide.mjs PYODIDE PACKAGES '[["check", …], …]'.
// Prints a line of JSON for each: its exit code, what it printed and what it said.
import { pathToFileURL } from "node:url";

const [folder, packages, commands] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide();
python.FS.mkdirTree("/packages");
python.mountNodeFS("/packages", packages);
python.runPython(`
import contextlib, io, json, os, sys

sys.path.insert(0, "/packages")
os.chdir("/packages/rulekit/_data")

def ran(words):
    from rulekit.apps.cli import main

    code, printed, said = 0, io.StringIO(), io.StringIO()
    sys.argv = ["rulekit", *words]
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        try:
            main()
        except SystemExit as end:
            code = end.code
    return json.dumps([code, printed.getvalue(), said.getvalue()])
`);
for (const words of JSON.parse(commands)) {
  console.log(python.globals.get("ran")(python.toPy(words)));
}
