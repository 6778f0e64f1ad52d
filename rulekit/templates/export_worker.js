// The worker of a page that holds a whole game: starts Python from what the page hands over, then answers its requests.
"use strict";
let desk = null;

function blob(bytes, type) {
  return URL.createObjectURL(new Blob([bytes], {type: type}));
}

// All that Python's own loader asks for is here; it finds no other way out.
function only(files) {
  self.fetch = function (address) {
    const name = String(address).split("/").pop();
    if (!(name in files)) return Promise.reject(new Error("nothing is fetched: " + name));
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return Promise.resolve(new Response(files[name], {headers: {"content-type": type}}));
  };
}

async function start(files, rules) {
  only(files);
  const {loadPyodide} = await import(blob(files["pyodide.mjs"], "text/javascript"));
  const made = await import(blob(files["pyodide.asm.mjs"], "text/javascript"));
  const {info} = JSON.parse(new TextDecoder().decode(files["pyodide-lock.json"]));
  const python = await loadPyodide({
    indexURL: "https://here.invalid/",
    createPyodideModule: made.default,
    stdLibURL: "https://here.invalid/python_stdlib.zip",
    lockFileContents: {info: info, packages: {}},
  });
  python.unpackArchive(new Uint8Array(files["bundle.zip"]), "zip", {extractDir: "/table"});
  python.FS.chdir("/table");
  python.pyimport("sys").path.insert(0, "/table");
  const module = python.pyimport("rulekit.export.desk");
  desk = module.opened(rules, function () { postMessage({kind: "news"}); });
  return module.START;
}

async function answer(request) {
  const made = await desk.answer(request.method, request.address, request.languages, request.body);
  const told = {status: made.status, location: made.location, file: made.file, text: made.text};
  made.destroy();
  return told;
}

onmessage = async function (event) {
  const asked = event.data;
  try {
    const told = asked.kind === "start" ? await start(asked.files, asked.rules) : await answer(asked.request);
    postMessage({kind: "answer", number: asked.number, told: told});
  } catch (fault) {
    postMessage({kind: "answer", number: asked.number, fault: String(fault)});
  }
};
