// The desk works without this script.  It adds keys, and keeps what is typed until it has been sent.
"use strict";

const typing = (element) => element.matches("input, textarea, select");
const drafts = `rulekit review ${document.title}`;

function kept() {
  try { return JSON.parse(localStorage.getItem(drafts)) || {}; } catch { return {}; }
}

function keep(form, values) {
  const all = kept();
  if (values === null) delete all[form.dataset.draft]; else all[form.dataset.draft] = values;
  try { localStorage.setItem(drafts, JSON.stringify(all)); } catch { /* Then the page is only as good as its form. */ }
}

const fields = (form) => [...form.elements].filter((one) => one.name && one.type !== "hidden");

for (const form of document.querySelectorAll("form[data-draft]")) {
  const typed = kept()[form.dataset.draft];
  if (typed) for (const one of fields(form)) if (one.name in typed && !one.dataset.fixed) one.value = typed[one.name];
  form.addEventListener("input", () => keep(form, Object.fromEntries(fields(form).map((one) => [one.name, one.value]))));
  form.addEventListener("submit", () => sessionStorage.setItem("sent", form.dataset.draft));
}

// What was sent is forgotten only when the next page has come, and says that it was done.
const sent = sessionStorage.getItem("sent");
if (sent && !document.querySelector("[role=alert]")) keep({ dataset: { draft: sent } }, null);
sessionStorage.removeItem("sent");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target)) { if (event.key === "Escape") event.target.blur(); return; }
  const meant = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!meant) return;
  event.preventDefault();
  if (meant.closest("details")) meant.closest("details").open = true;
  if (meant.tagName === "A" || "press" in meant.dataset) meant.click(); else meant.focus();
});

document.getElementById("here")?.scrollIntoView({ block: "center" });

// A position that is looked for in the background comes by itself.
async function look() {
  try {
    const page = await (await fetch(`?at=${document.body.dataset.at}`)).text();
    const found = new DOMParser().parseFromString(page, "text/html").getElementById("position");
    if (found) document.getElementById("position").replaceWith(found);
  } catch { /* The link stays. */ }
  if (document.getElementById("looking")) setTimeout(look, 2000);
}
if (document.getElementById("looking")) setTimeout(look, 1000);
