// Puts a new `main` in the place of the old one, for the pages of a table and for exported pages.
// What was ticked or opened while a question stands stays so, and the keyboard stays where it was: at the same thing, else at the question.
"use strict";
const RulekitPage = (function () {
  const DOUBLE = 400;
  let changed = 0;

  function swap(now) {
    const before = document.querySelector("main"), place = placeOf(document.activeElement);
    now = document.adoptNode(now);
    keepMarks(before, now);
    before.replaceWith(now);
    changed = Date.now();
    document.querySelectorAll("#answer [type=checkbox]").forEach(showTick);
    if (place) focus(place);
  }

  function keepMarks(before, now) {
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

  // A thing in the picture shows whether it is ticked below the question.
  function showTick(box) {
    document.querySelectorAll(`.picture [data-option="${CSS.escape(box.value)}"]`).forEach(function (thing) {
      thing.classList.toggle("chosen", box.checked);
    });
  }

  // ------------------------------------------------------------ where the keyboard is

  function placeOf(focused) {
    const main = document.querySelector("main");
    if (!focused || !main.contains(focused)) return null;
    const option = focused.closest("[data-option]")?.dataset.option;
    return {
      id: focused.id, inPicture: Boolean(focused.closest(".picture")), option: option,
      number: main.querySelector("#answer [name=number]")?.value,
      tag: focused.tagName, words: focused.textContent.trim(), inAnswer: Boolean(focused.closest("#answer")),
    };
  }

  function focus(place) {
    const sameQuestion = place.number === document.querySelector("#answer [name=number]")?.value;
    const found = (sameQuestion || !place.inAnswer && !place.inPicture) && same(place) || place.inPicture && inPicture() || question();
    if (found) found.focus({preventScroll: true});
  }

  function same(place) {
    if (place.inPicture && place.option !== undefined) return inPicture(`[data-option="${CSS.escape(place.option)}"] `);
    if (place.id && place.id !== "answer") return document.getElementById(place.id);
    return Array.from(document.querySelectorAll("main " + place.tag)).find(function (one) {
      return !one.disabled && one.textContent.trim() === place.words;
    });
  }

  function inPicture(within) {
    const all = document.querySelectorAll(`.picture ${within || ""}.control`);
    return Array.from(all).find(function (one) { return one.tabIndex >= 0 && one.getClientRects().length; });
  }

  // Where nothing is asked, the place where the next question will stand.
  function question() {
    const form = document.getElementById("answer");
    const first = form && form.querySelector(":is(input, button):is(.choices *)");
    if (form && !first) form.tabIndex = -1;
    return first || form;
  }

  // ------------------------------------------------------------ presses that nobody meant

  // The second click of a double click on an answer would answer what is asked next, and so would a key that is held.
  document.addEventListener("click", function (event) {
    if (event.detail > 1 && Date.now() - changed < DOUBLE && event.target.closest(".choices, .picture")) event.preventDefault();
  }, true);
  document.addEventListener("keydown", function (event) {
    if (event.repeat && event.key === "Enter" && event.target.closest(".choices, .picture")) event.preventDefault();
  }, true);
  document.addEventListener("change", function (event) {
    if (event.target.matches("#answer [type=checkbox]")) showTick(event.target);
  });

  // The number of the question that a form answers; "" of other forms.
  function answered(form) {
    return form.id === "answer" && form.querySelector("[name=number]")?.value || "";
  }

  return {swap: swap, answered: answered};
})();
