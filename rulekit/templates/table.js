// Brings a seat's page up to date when the server says that it has changed; without it the page works by forms and links.
"use strict";
(function () {
  const address = location.pathname + location.search;
  let stream = null, looks = false;
  // One request after the other, so that no page that is older takes the place of a newer one.
  let last = Promise.resolve();

  async function renew(answer) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const focused = document.activeElement && document.activeElement.id;
    document.querySelector("main").replaceWith(document.adoptNode(page.querySelector("main")));
    document.title = page.title;
    const again = focused && document.getElementById(focused);
    if (again) again.focus();
  }

  function look() {
    if (looks) return;
    looks = true;
    last = last.then(function () { looks = false; return fetch(address); }).then(renew)
      .catch(function () { /* The stream tells when the server is back. */ });
  }

  function listen() {
    if (stream) return;
    stream = new EventSource(location.pathname + "/news");
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
    last = last.then(function () { return fetch(form.action, {method: "POST", body: fields}); })
      .then(renew, function () { form.submit(); });
  });
  addEventListener("pagehide", rest);
  addEventListener("pageshow", listen);
  listen();
})();
