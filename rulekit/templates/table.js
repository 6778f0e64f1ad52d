// Brings a seat's page up to date when the server says that it has changed; without it the page works by forms and links.
"use strict";
(function () {
  const narrow = matchMedia("(max-width: 44rem)");
  let stream = null, looks = false;
  // One request after the other, so that no page that is older takes the place of a newer one.
  let last = Promise.resolve();

  // The first page has a picture for every width, what takes its place the one that fits.
  function fitting(address) {
    const there = new URL(address, location.href);
    there.searchParams.set("w", narrow.matches ? "narrow" : "wide");
    return there;
  }

  async function renew(answer) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const focused = document.activeElement && document.activeElement.id;
    document.querySelector("main").replaceWith(document.adoptNode(page.querySelector("main")));
    tell(page.getElementById("icon").getAttribute("href"));
    document.title = page.title;
    const again = focused && document.getElementById(focused);
    if (again) again.focus();
    offer();
  }

  // Which picture stands for the page says whether its seat is asked.
  function tell(now) {
    const icon = document.getElementById("icon"), before = icon.getAttribute("href");
    icon.setAttribute("href", now);
    if (now === before || !now.includes("asked") || !document.hidden) return;
    if (window.Notification && Notification.permission === "granted") new Notification("It is your turn");
  }

  function offer() {
    const place = document.querySelector(".notices");
    if (!place || !window.Notification || Notification.permission !== "default") return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = place.dataset.words;
    button.addEventListener("click", function () { Notification.requestPermission().then(function () { button.remove(); }); });
    place.replaceChildren(button);
  }

  function look() {
    if (looks) return;
    looks = true;
    last = last.then(function () { looks = false; return fetch(fitting(location.href)); }).then(renew)
      .catch(function () { /* The stream tells when the server is back. */ });
  }

  // The page stays where it is, since its stream tells when the server is back.
  function away() {
    const told = document.createElement("p");
    told.className = "problem";
    told.setAttribute("role", "alert");
    told.textContent = "The table could not be reached. When it is back, this page shows whether your answer was taken.";
    document.querySelectorAll("main > .problem").forEach(function (before) { before.remove(); });
    document.querySelector("main").prepend(told);
  }

  function listen() {
    if (stream) return;
    // It begins with news if something happened between this page and the stream.
    stream = new EventSource(location.pathname + "/news?have=" + document.querySelector("main").dataset.look);
    let lost = false;
    stream.onmessage = look;
    stream.onerror = function () { lost = true; };
    stream.onopen = function () { if (lost) { lost = false; look(); } };
  }

  function rest() {
    if (stream) stream.close();
    stream = null;
  }

  document.addEventListener("submit", function (event) {
    event.preventDefault();
    const form = event.target;
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    last = last.then(function () { return fetch(fitting(form.action), {method: "POST", body: fields}); })
      .then(renew).catch(away);
  });
  narrow.addEventListener("change", look);
  addEventListener("pagehide", rest);
  addEventListener("pageshow", listen);
  listen();
  offer();
})();
