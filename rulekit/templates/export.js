// A page that holds a whole game: its worker answers as a server would, and what it says is shown here.
"use strict";
(function () {
  const body = document.body, main = document.querySelector("main"), state = document.getElementById("state");
  const again = document.getElementById("again"), waiting = new Map();
  let worker = null, count = 0, here = "", first = "", sending = "";
  // One request after the other, so that no page that is older takes the place of a newer one.
  let last = Promise.resolve();

  async function unpacked(part) {
    const from = part.dataset.from || "data:application/octet-stream;base64," + part.textContent;
    const answer = await fetch(from, part.dataset.is ? {integrity: part.dataset.is} : {});
    const zipped = part.dataset.from === undefined;
    const stream = zipped ? answer.body.pipeThrough(new DecompressionStream("gzip")) : answer.body;
    const bytes = await new Response(stream).arrayBuffer();
    part.remove();
    return [part.dataset.name, bytes];
  }

  function ask(message, moved) {
    return new Promise(function (resolve, reject) {
      waiting.set(++count, {resolve: resolve, reject: reject});
      worker.postMessage({...message, number: count}, moved || []);
    });
  }

  function heard(event) {
    const told = event.data;
    if (told.kind === "news") {
      last = last.then(function () { return look(false); });
      return;
    }
    const one = waiting.get(told.number);
    waiting.delete(told.number);
    if (told.fault === undefined) one.resolve(told.told); else one.reject(new Error(told.fault));
  }

  async function start() {
    const files = Object.fromEntries(await Promise.all(Array.from(document.querySelectorAll("script[data-name]"), unpacked)));
    // Only a worker of this address may import modules where the page is a file.
    const source = "data:text/javascript," + encodeURIComponent(document.getElementById("worker").textContent);
    worker = new Worker(source, {type: "module"});
    worker.onmessage = heard;
    worker.onerror = function (fault) { failed(fault); };
    first = await ask({kind: "start", files: files, rules: body.dataset.rules}, Object.values(files));
    if (body.dataset.language) first += "?lang=" + body.dataset.language;
    again.hidden = false;
    history.replaceState(first, "");
    await shown("GET", first, "");
    performance.mark("ready");
  }

  function failed(fault) {
    state.textContent = body.dataset.failed + " " + (fault.message || fault);
    state.className = "problem";
    state.hidden = false;
  }

  // What the worker says to a request, after it was sent on.
  async function shown(method, address, fields) {
    let told = await ask({request: request(method, address, fields)});
    while (told.location) {
      address = told.location;
      told = await ask({request: request("GET", address, "")});
    }
    if (told.file) {
      keep(told);
      return;
    }
    if (method === "GET" || told.status < 400) here = address;
    const page = new DOMParser().parseFromString(told.text, "text/html");
    RulekitPage.swap(page.querySelector("main"));
    document.title = page.title;
    document.documentElement.lang = page.documentElement.lang;
    state.hidden = true;
  }

  function request(method, address, fields) {
    return {method: method, address: address, languages: navigator.languages.join(","), body: fields};
  }

  function keep(told) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([told.text], {type: "text/plain"}));
    link.download = told.file;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function look(always) {
    const is_table = /^\/(seat|together)\/[^\/?]+(\?|$)/.test(here);
    return always || is_table ? shown("GET", here, "").catch(failed) : undefined;
  }

  function go(method, address, fields) {
    last = last.then(function () { return shown(method, address, fields); }).then(function () {
      sending = "";
      if (history.state !== here) history.pushState(here, "");
    }).catch(failed);
  }

  function local(address) {
    const there = new URL(address || here, "http://here.invalid" + here);
    return there.pathname + there.search;
  }

  document.addEventListener("submit", function (event) {
    event.preventDefault();
    const form = event.target, number = RulekitPage.answered(form);
    // Pressed twice, a question is answered once.
    if (number && number === sending) return;
    sending = number;
    const fields = new URLSearchParams(new FormData(form, event.submitter)).toString();
    const address = local(form.getAttribute("action"));
    if (form.method === "post") go("POST", address, fields); else go("GET", address.split("?")[0] + "?" + fields, "");
  });
  document.addEventListener("click", function (event) {
    const link = event.target.closest("main a[href]");
    if (!link || link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    go("GET", local(link.getAttribute("href")), "");
  });
  again.addEventListener("click", function () { go("GET", first, ""); });
  addEventListener("popstate", function (event) {
    if (event.state) last = last.then(function () { here = event.state; return look(true); });
  });
  start().catch(failed);
})();
