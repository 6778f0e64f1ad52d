// Brings a seat's page up to date when the server says that it has changed; without it the page works by forms and links.
"use strict";
(function () {
  const narrow = matchMedia("(max-width: 44rem)");
  let stream = null, looks = false, came = Date.now();
  // One request after the other, so that no page that is older takes the place of a newer one.
  let last = Promise.resolve();

  // The first page has a picture for every width, what takes its place the one that fits.
  function fitting(address) {
    const there = new URL(address, location.href);
    there.searchParams.set("w", narrow.matches ? "narrow" : "wide");
    return there;
  }

  async function renew(answer) {
    came = Date.now();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const focused = document.activeElement && document.activeElement.id;
    const main = document.adoptNode(page.querySelector("main"));
    keep(document.querySelector("main"), main);
    document.querySelector("main").replaceWith(main);
    tell(page.getElementById("icon").getAttribute("href"));
    document.title = page.title;
    const again = focused && document.getElementById(focused);
    if (again) again.focus();
    offer();
  }

  // What was ticked or opened while a question stands stays so.
  function keep(before, now) {
    const number = "#answer [name=number]";
    if (before.querySelector(number)?.value !== now.querySelector(number)?.value) return;
    const marked = marks(before);
    marks(now).forEach(function (mark, place) {
      if (!marked[place]) return;
      mark.checked = marked[place].checked;
      mark.open = marked[place].open;
    });
  }

  function marks(main) {
    return main.querySelectorAll(["[type=checkbox]", "details"].map(function (one) { return "#answer " + one; }));
  }

  // Which picture stands for the page says whether its seat is asked.
  function tell(now) {
    const icon = document.getElementById("icon"), before = icon.getAttribute("href");
    icon.setAttribute("href", now);
    if (now === before || !now.includes("asked") || !document.hidden) return;
    if (window.Notification && Notification.permission === "granted") new Notification(document.querySelector("main").dataset.turn);
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

  // Why an answer was refused stays until the person does something; it has been said aloud when it came.
  async function renewBelow(answer) {
    const refused = document.getElementById("refused");
    await renew(answer);
    if (!refused) return;
    refused.removeAttribute("role");
    document.querySelector("main > header").after(refused);
  }

  // Of whoever asks too often the server says how long to wait.
  function isTooMuch(answer) {
    return answer.status === 429;
  }

  function later(answer) {
    setTimeout(look, 1000 * (Number(answer.headers.get("retry-after")) || 5));
  }

  // Counted since the page last changed, which tells nothing that the page does not.
  function think() {
    const place = document.getElementById("thinking"), seconds = Math.floor((Date.now() - came) / 1000);
    if (place && seconds > 1) place.textContent = place.dataset.words.replace("{}", seconds);
  }

  // A browser that prints or copies a page makes its window small for a moment.
  function fit() {
    if (!document.querySelector(narrow.matches ? ".picture.narrow" : ".picture.wide")) look();
  }

  function look() {
    if (looks) return;
    looks = true;
    last = last.then(function () { looks = false; return fetch(fitting(location.href)); })
      .then(function (answer) { return isTooMuch(answer) ? later(answer) : renewBelow(answer); })
      .catch(function () { /* The stream tells when the server is back. */ });
  }

  async function taken(answer) {
    if (!isTooMuch(answer)) return renew(answer);
    say(new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main p").textContent);
  }

  // The page stays where it is, since its stream tells when the server is back.
  function away() {
    say(document.querySelector("main").dataset.away);
  }

  function say(words) {
    const told = document.createElement("p");
    told.className = "problem";
    told.setAttribute("role", "alert");
    told.textContent = words;
    document.querySelectorAll("main > .problem").forEach(function (before) { before.remove(); });
    document.querySelector("main").prepend(told);
  }

  function listen() {
    if (stream) return;
    // It begins with news if something happened between this page and the stream.
    stream = new EventSource(location.pathname + "/news?have=" + document.querySelector("main").dataset.look);
    let lost = false;
    stream.onmessage = look;
    stream.onerror = function (event) {
      lost = true;
      // A browser opens none again that was refused.
      if (event.target.readyState === EventSource.CLOSED) setTimeout(again, 10000);
    };
    stream.onopen = function () { if (lost) { lost = false; look(); } };
  }

  function again() {
    if (!stream || stream.readyState !== EventSource.CLOSED) return;
    rest();
    listen();
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
      .then(taken).catch(away);
  });
  setInterval(think, 1000);
  narrow.addEventListener("change", fit);
  addEventListener("pagehide", rest);
  addEventListener("pageshow", listen);
  listen();
  offer();
})();
