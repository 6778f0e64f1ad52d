// Brings a seat's page up to date when the server says that it has changed; without it the page works by forms and links.
"use strict";
(function () {
  const narrow = matchMedia("(max-width: 44rem)");
  // Milliseconds: a request that has had no answer for so long is given up, the first ones that look for news sooner.
  const PATIENCE = 20000, FIRST_LOOK = 5000, LATEST = 30000, SOON = 1000;
  let looks = false, looking = null, failures = 0, again = 0, looked = Date.now(), came = Date.now(), sending = "";
  // One request after the other, so that no page that is older takes the place of a newer one.
  let last = Promise.resolve();

  // The first page has a picture for every width, what takes its place the one that fits.
  function fitting(address) {
    const there = new URL(address, location.href);
    there.searchParams.set("w", narrow.matches ? "narrow" : "wide");
    return there;
  }

  // A connection that broke without a word would be waited for without end.
  async function request(address, how, patience, controller) {
    const signal = AbortSignal.timeout(patience);
    signal.addEventListener("abort", function () { controller.abort(); });
    const answer = await fetch(fitting(address), {...how, signal: controller.signal});
    return {status: answer.status, wait: answer.headers.get("retry-after"), text: await answer.text()};
  }

  function parsed(answer) {
    return new DOMParser().parseFromString(answer.text, "text/html");
  }

  function renew(page) {
    came = Date.now();
    RulekitPage.swap(page.querySelector("main"));
    tell(page.getElementById("icon").getAttribute("href"));
    document.title = page.title;
    offer();
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
  function renewBelow(page) {
    const refused = document.getElementById("refused");
    renew(page);
    if (!refused) return;
    refused.removeAttribute("role");
    document.querySelector("main > header").after(refused);
  }

  // Counted since the page last changed, which tells nothing that the page does not.
  function think() {
    const place = document.getElementById("thinking"), seconds = Math.floor((Date.now() - came) / 1000);
    if (place && seconds > 1) place.textContent = place.dataset.words.replace("{}", seconds);
  }

  // ------------------------------------------------------------ looking for news

  function shown() {
    return document.querySelector("main").dataset.look;
  }

  // A browser that prints or copies a page makes its window small for a moment.
  function fit() {
    if (!document.querySelector(narrow.matches ? ".picture.narrow" : ".picture.wide")) look(true);
  }

  function look(always) {
    if (looks) return;
    looks = true;
    clearTimeout(again);
    last = last.then(function () {
      looks = false;
      looking = new AbortController();
      looked = Date.now();
      const there = new URL(location.href);
      if (!always) there.searchParams.set("have", shown());
      return request(there, {}, Math.min(PATIENCE, FIRST_LOOK * 2 ** failures), looking);
    }).then(function (answer) { take(answer, always); }).catch(function () { later(Math.min(LATEST, 1000 * 2 ** failures++)); })
      .finally(function () { looking = null; });
  }

  // Of whoever asks too often the server says how long to wait.
  function take(answer, always) {
    if (answer.status === 429) {
      later(1000 * (Number(answer.wait) || 5));
      return;
    }
    if (answer.status >= 500) throw new Error(String(answer.status));
    failures = 0;
    document.querySelectorAll("main > .away").forEach(function (told) { told.remove(); });
    // The server says nothing of a page that is as it was.
    if (answer.status !== 204) renewBelow(parsed(answer));
  }

  function later(wait) {
    clearTimeout(again);
    again = setTimeout(function () { look(); }, wait);
  }

  // ------------------------------------------------------------ answering

  function answered(answer) {
    sending = "";
    if (answer.status === 429) say(parsed(answer).querySelector("main p").textContent, "");
    else renew(parsed(answer));
  }

  // The page stays where it is, and asks until the table is back.
  function away() {
    sending = "";
    say(document.querySelector("main").dataset.away, "away");
    later(1000);
  }

  function say(words, kind) {
    const told = document.createElement("p");
    told.className = `problem ${kind}`;
    told.setAttribute("role", "alert");
    told.textContent = words;
    document.querySelectorAll("main > .problem").forEach(function (before) { before.remove(); });
    document.querySelector("main").prepend(told);
  }

  document.addEventListener("submit", function (event) {
    event.preventDefault();
    const form = event.target, number = RulekitPage.answered(form);
    // Pressed twice, a question is answered once.
    if (number && number === sending) return;
    sending = number;
    const fields = new URLSearchParams(new FormData(form, event.submitter)), address = form.action;
    if (looking) looking.abort();
    last = last.then(function () { return request(address, {method: "POST", body: fields}, PATIENCE, new AbortController()); })
      .then(answered).catch(away);
  });

  // ------------------------------------------------------------ the stream

  const path = location.pathname.split("/"), token = path.pop();
  const news = new RulekitStreams.Stream([...path, "{}", "news"].join("/"), token);
  let lost = false;
  // What a request brings that is on its way may be what the news are about.
  news.addEventListener("news", function (event) {
    last.then(function () { if (event.data !== shown()) look(); });
  });
  news.addEventListener("lost", function () { lost = true; });
  news.addEventListener("open", function () { if (lost) { lost = false; look(); } });

  // What has happened while nobody looked, or while the network was gone, may have been told to nobody.
  function seen() {
    if (!document.hidden && Date.now() - looked > SOON) look();
  }

  setInterval(think, 1000);
  narrow.addEventListener("change", fit);
  document.addEventListener("visibilitychange", seen);
  addEventListener("focus", seen);
  addEventListener("online", function () { look(); });
  addEventListener("pageshow", function (event) { if (event.persisted) look(); });
  offer();
})();
