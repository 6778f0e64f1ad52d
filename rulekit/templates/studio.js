// The studio's page: the editor sends its text, and what is found about it comes back as news.
"use strict";
(function () {
  const $ = function (id) { return document.getElementById(id); };
  const Range = ace.require("ace/range").Range;
  const language = document.documentElement.lang;
  let number = Number($("editor").dataset.number), saved = null, sending = false, dirty = false, heard = false, at = null, seat = "", dragged = null, counts = {}, means = {};

  // What the page says, in its language.
  function say(id, value) {
    return document.querySelector("#said [data-id=" + id + "]").textContent.replace("{}", value);
  }

  // ------------------------------------------------------------ the editor

  function mode() {
    const words = $("editor").dataset.words.split(" ").join("|");
    const Rules = ace.require("ace/mode/text_highlight_rules").TextHighlightRules;
    const Highlight = function () {
      this.$rules = {start: [
        {token: "comment", regex: "#.*$"},
        {token: "comment", regex: "^\\s*>.*$"},
        {token: "string", regex: '"[^"]*"?'},
        {token: "tag", regex: "@[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"},
        {token: "constant", regex: "\\b\\d+\\b"},
        {token: "keyword", regex: "\\b(?:" + words + ")\\b"},
        {token: "text", regex: "[A-Za-z_][A-Za-z0-9_]*"},
      ]};
    };
    ace.require("ace/lib/oop").inherits(Highlight, Rules);
    const Mode = function () { this.HighlightRules = Highlight; this.lineCommentStart = "#"; };
    ace.require("ace/lib/oop").inherits(Mode, ace.require("ace/mode/text").Mode);
    return new Mode();
  }

  ace.config.set("useStrictCSP", true);
  ace.config.set("loadWorkerFromBlob", false);
  const editor = ace.edit("editor", {
    useWorker: false, fontSize: 14, tabSize: 4, useSoftTabs: true, showPrintMargin: false,
    enableKeyboardAccessibility: true, theme: null, newLineMode: "unix"
  });
  editor.container.classList.add("rulekit");
  editor.textInput.getElement().setAttribute("aria-label", $("editor").dataset.label);
  editor.textInput.getElement().setAttribute("aria-describedby", "keys");
  const session = editor.session;
  session.setMode(mode());
  // Tab indents, or takes what is offered; after Escape it goes on to the next part of the page, as the editor has it.
  editor.commands.addCommand({name: "save", bindKey: {win: "Ctrl-S", mac: "Command-S"}, exec: function () { save(false); }});

  // Columns here count UTF-16 units from 0, those of the rules code points from 1.
  function points(row, units) { return Array.from(session.getLine(row).slice(0, units)).length + 1; }
  function units(line, column) { return Array.from(session.getLine(line - 1)).slice(0, column - 1).join("").length; }
  function range(from, to) { return new Range(from[0] - 1, units(from[0], from[1]), to[0] - 1, units(to[0], to[1])); }

  async function ask(name, values) {
    const answer = await fetch("do/" + name + "?lang=" + language, {method: "POST", body: JSON.stringify(values || {})});
    const told = await answer.json();
    if (!answer.ok) tell(told.problem, true);
    return {ok: answer.ok, told: told};
  }

  function act(name, values) {
    tell("");
    return ask(name, values);
  }

  // What somebody did stays told until they do something else, whatever is found meanwhile.
  function tell(words, isBad) { inform("done", words, isBad); }

  function inform(id, words, isBad) {
    $(id).textContent = words;
    $(id).className = isBad ? "problem" : "";
  }

  // One text is on its way at a time, and the last one wins.
  async function send() {
    if (sending) { dirty = true; return; }
    sending = true;
    do {
      dirty = false;
      try { await ask("put", {text: editor.getValue(), number: number}); }
      catch (fault) { tell(say("unreachable"), true); }
    } while (dirty);
    sending = false;
  }

  session.on("change", function () {
    number += 1;
    tell("");
    markSaved();
    send();
  });

  // Where nobody has closed the page yet it is said beside the button and in the title of the window.
  function isSaved() { return editor.getValue() === saved; }

  function markSaved() {
    $("unsaved").hidden = isSaved();
    document.title = (isSaved() ? "" : "\u25cf ") + document.title.replace(/^\u25cf /, "");
  }

  async function save(over) {
    const text = editor.getValue();
    const done = await act("save", {text: text, over: over});
    if (done.ok) { saved = text; markSaved(); tell(say("saved")); $("disk").hidden = true; return; }
    if (done.told.conflict) differs(null);
  }

  // The whole text as one change, so that it can be taken back at once.
  function replace(text) {
    const whole = new Range(0, 0, session.getLength(), 0), place = editor.getCursorPosition();
    session.replace(whole, text);
    editor.moveCursorToPosition(place);
    editor.clearSelection();
  }

  function differs(text) {
    const box = $("disk");
    box.replaceChildren();
    const words = document.createElement("p");
    words.textContent = say(text === null ? "other" : "outside");
    box.append(words);
    if (text !== null) box.append(button(say("take"), function () { take(text); }));
    box.append(button(say("over"), function () { save(true); }));
    box.hidden = false;
  }

  function take(text) {
    ask("taken", {text: text});
    saved = text;
    if (text !== editor.getValue()) replace(text);
    markSaved();
    $("disk").hidden = true;
  }

  function button(words, press) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.addEventListener("click", press);
    return made;
  }

  function append(text) {
    const last = session.getLength() - 1;
    session.insert({row: last, column: session.getLine(last).length}, (session.getLine(last) ? "\n" : "") + "\n" + text);
    go(session.getLength() - text.split("\n").length + 1);
  }

  function go(line) {
    editor.gotoLine(line, 0);
    editor.focus();
  }

  // ------------------------------------------------------------ findings

  let marks = [];
  function found(news) {
    if (news.number !== number) return;
    marks.forEach(function (mark) { session.removeMarker(mark); });
    marks = news.found.map(function (one) {
      const place = range(one.from, one.to);
      if (place.isEmpty()) place.end.column += 1;
      return session.addMarker(place, "found " + one.level, "text");
    });
    session.setAnnotations(news.found.map(function (one) {
      return {row: one.from[0] - 1, column: units(one.from[0], one.from[1]), type: one.level, text: [one.title, one.note, one.hint].filter(Boolean).join("\n")};
    }));
    const list = document.createElement("ul");
    news.found.forEach(function (one) {
      const item = document.createElement("li");
      const words = button(one.from[0] + ": " + one.title + (one.hint ? " \u2014 " + one.hint : ""), function () { go(one.from[0]); });
      words.className = "event";
      item.append(words);
      if (one.hint) item.append(" ", button(say("mend"), function (event) { mend(one, item, event.target); }));
      list.append(item);
    });
    $("findings").replaceChildren(list);
    const faults = news.found.filter(function (one) { return one.level === "error"; }).length;
    inform("state", faults ? say(faults === 1 ? "fault" : "faults", faults) : news.found.length ? say("remarks", news.found.length) : say("fine"), faults > 0);
  }

  // Beside what is found in the text, since a text without a fault may be another game than is wanted.
  function failing(count) {
    const words = say(count === 1 ? "fail" : "fails", count);
    const press = function () { $("examples-head").scrollIntoView(); $("examples-head").focus(); };
    if ($("fails").textContent !== (count ? words : "")) $("fails").replaceChildren(...(count ? [button(words, press)] : []));
  }

  // ------------------------------------------------------------ what helps while one types

  // Where there is no correction the finding says so itself, and has no button any more.
  async function mend(one, item, pressed) {
    const done = await act("correct", {text: editor.getValue(), line: one.from[0], code: one.code});
    if (!done.ok) { pressed.replaceWith("(" + done.told.problem + ")"); return; }
    const ways = done.told.corrections;
    if (ways.length === 1) { apply(ways[0].edits); return; }
    item.append(...ways.map(function (way) { return button(way.title, function () { apply(way.edits); }); }));
  }

  function apply(edits) {
    const ordered = edits.map(function (one) { return {range: range(one.from, one.to), text: one.text}; });
    ordered.sort(function (a, b) { return b.range.compareRange(a.range); });
    ordered.forEach(function (one) { session.replace(one.range, one.text); });
    editor.focus();
  }

  function place(position) {
    return {text: editor.getValue(), line: position.row + 1, column: points(position.row, position.column)};
  }

  const completer = {
    identifierRegexps: [/[A-Za-z0-9_-]/],
    getCompletions: async function (_, __, position, prefix, give) {
      const done = await ask("complete", place(position));
      const offers = done.ok ? done.told.offers : [];
      give(null, offers.map(function (one, order) { return {value: one.word, meta: one.detail || one.sort, score: 1000 - order}; }));
    }
  };
  editor.setOptions({enableBasicAutocompletion: [completer]});

  async function define(position) {
    const done = await ask("definition", place(position));
    if (done.ok && done.told.line) go(done.told.line);
  }
  editor.commands.addCommand({name: "definition", bindKey: {win: "F12", mac: "F12"}, exec: function () { define(editor.getCursorPosition()); }});
  editor.on("click", function (event) { if (event.getAccelKey()) define(event.getDocumentPosition()); });

  async function explain(position) {
    const done = await ask("hover", place(position));
    $("hover").hidden = !(done.ok && done.told.words);
    if (done.ok) $("hover").textContent = done.told.words;
  }
  function explained() { clearTimeout(resting); $("hover").hidden = true; }
  editor.container.addEventListener("mouseleave", explained);
  session.on("change", explained);
  editor.commands.addCommand({name: "explain", bindKey: {win: "Ctrl-I", mac: "Command-I"}, exec: function () { explain(editor.getCursorPosition()); }});
  let resting = 0;
  editor.on("mousemove", function (event) {
    clearTimeout(resting);
    resting = setTimeout(function () { explain(event.getDocumentPosition()); }, 500);
  });

  // ------------------------------------------------------------ how often lines ran

  // In this match, and in a match of the simulation on an average.
  // They have their room from the beginning, so that no text moves when they come.
  const ROOM = 5;
  session.gutterRenderer = {
    getWidth: function (_, last, config) { return last.length * config.characterWidth; },
    getText: function (_, row) {
      const ran = counts[row + 1], mean = means[row + 1];
      return (ran ? "\u00d7" + short(ran) : "").padEnd(ROOM, "\u00a0") + (mean === undefined ? "" : "\u2300" + short(mean)).padEnd(ROOM, "\u00a0") + (row + 1);
    }
  };

  function short(mean) { return mean && mean < 0.05 ? "<.1" : mean < 9.95 ? String(Math.round(10 * mean) / 10) : mean < 1000 ? String(Math.round(mean)) : Math.round(mean / 1000) + "k"; }

  function counted() {
    editor.renderer.updateFull();
    tellLine();
  }

  function tellLine() {
    const line = editor.getCursorPosition().row + 1, told = [say("line", line)];
    if (counts[line]) told.push(say("ran", counts[line]));
    if (means[line] !== undefined) told.push(say("runs", short(means[line])));
    $("cursor").textContent = told.join("; ");
  }

  let shown = [];
  function show(lines, goes) {
    shown.forEach(function (mark) { session.removeMarker(mark); });
    shown = lines.map(function (line) { return session.addMarker(new Range(line - 1, 0, line - 1, 1), "ran", "fullLine"); });
    if (lines.length && goes) { editor.scrollToLine(lines[0] - 1, true, true); }
  }

  editor.on("guttermousedown", function (event) {
    const line = String(event.getDocumentPosition().row + 1);
    document.querySelectorAll("#story li").forEach(function (item) {
      item.classList.toggle("marked", (item.dataset.lines || "").split(" ").includes(line));
    });
    const first = document.querySelector("#story .marked");
    if (first) first.scrollIntoView({block: "nearest"});
    show([Number(line)], false);
  });

  // ------------------------------------------------------------ a number that is dragged

  // Where it stands is an anchor, which goes along with what is typed elsewhere.

  function numberAt(place) {
    const line = session.getLine(place.row), numbers = /\d+/g;
    let one;
    while ((one = numbers.exec(line))) {
      const token = session.getTokenAt(place.row, one.index + 1), end = one.index + one[0].length;
      if (place.column >= one.index && place.column <= end && token && token.type === "constant") {
        return {row: place.row, column: one.index, text: one[0]};
      }
    }
    return null;
  }

  editor.selection.on("changeCursor", function () {
    tellLine();
    if (!dragged || !dragged.moving) setTimeout(follow);  // Once all anchors have gone along.
  });
  session.on("change", function () { if (dragged && !dragged.moving) setTimeout(follow); });

  function start() { return dragged.anchor.getPosition(); }

  // The slider belongs to the number at the cursor, as it is typed; one that was moved waits to be kept or dropped.
  function follow() {
    const there = numberAt(editor.getCursorPosition());
    if (dragged) {
      const from = start(), now = numberAt(from), whole = now && now.column === from.column;
      if (whole && now.text === dragged.text && (dragged.text !== dragged.first || (there && there.row === from.row && there.column === from.column))) return;
      dragged.anchor.detach();
    }
    dragged = there && {anchor: session.getDocument().createAnchor(there.row, there.column), text: there.text, first: there.text};
    $("drag").hidden = !dragged;
    if (!dragged) return;
    dragged.anchor.$insertRight = true;
    const value = Number(dragged.text);
    $("slider").max = Math.max(10, 2 * value);
    $("slider").min = 0;
    $("slider").value = value;
    $("drag-line").textContent = there.row + 1;
    dragTold();
  }

  function dragTold() {
    const moved = dragged.first !== dragged.text;
    $("drag-value").textContent = moved ? dragged.first + " \u2192 " + dragged.text : dragged.text;
    $("drag-keep").disabled = $("drag-drop").disabled = !moved;
  }

  function drag(text) {
    const from = start();
    dragged.moving = true;
    session.replace(new Range(from.row, from.column, from.row, from.column + dragged.text.length), text);
    dragged.anchor.setPosition(from.row, from.column);
    dragged.text = text;
    dragged.moving = false;
    dragTold();
  }

  function dragEnds() {
    dragged.anchor.detach();
    $("drag").hidden = true;
    dragged = null;
    editor.focus();
  }

  $("slider").addEventListener("input", function () { drag($("slider").value); });
  $("drag-keep").addEventListener("click", dragEnds);
  $("drag-drop").addEventListener("click", function () { drag(dragged.first); dragEnds(); });

  // ------------------------------------------------------------ the match

  let looks = false, again = false;
  async function look() {
    if (looks) { again = true; return; }
    looks = true;
    do {
      again = false;
      const query = new URLSearchParams({lang: language, seat: seat, width: Math.round($("match").clientWidth - 30)});
      if (at !== null) query.set("at", at);
      try { fill(await (await fetch("match?" + query)).text()); } catch (fault) { /* The news begin again when the studio is back. */ }
    } while (again);
    looks = false;
  }

  // What somebody holds with the mouse stays the same element, never taken out of the page: all around it is replaced.
  function replaceAround(held, like, box, made) {
    const stays = childWith(box, held), goes = childWith(made, like), children = Array.from(made.childNodes), place = children.indexOf(goes);
    Array.from(box.childNodes).forEach(function (child) { if (child !== stays) child.remove(); });
    stays.before(...children.slice(0, place));
    stays.after(...children.slice(place + 1));
    if (stays !== held) replaceAround(held, like, stays, goes);
  }

  function childWith(box, inner) { return Array.from(box.childNodes).find(function (child) { return child.contains(inner); }); }

  function fill(html) {
    const open = $("more") && $("more").open, focused = document.activeElement && document.activeElement.id;
    const kept = document.activeElement && document.activeElement.dataset.key;
    const begun = $("begin") ? new FormData($("begin")) : null;
    const made = document.createRange().createContextualFragment(html), time = $("time"), next = made.querySelector("#time");
    if (time && next) {
      replaceAround(time, next, $("match"), made);
      time.max = next.max;
      time.value = at === null ? next.value : at;
    } else $("match").replaceChildren(made);
    if ($("more")) $("more").open = open;
    const story = $("story");
    if (story) story.scrollTop = story.scrollHeight;
    const drawn = kept && Array.from(document.querySelectorAll("#picture [tabindex]")).find(function (one) { return one.dataset.key === kept; });
    if (drawn) drawn.focus();
    const back = focused && focused !== "editor" && $(focused);
    if (back && $("match").contains(back)) back.focus();
  }

  $("match").addEventListener("submit", async function (event) {
    event.preventDefault();
    const form = event.target, fields = new FormData(form, event.submitter);
    if (form.id.startsWith("arrange")) { arranged(form.id, Object.fromEntries(fields)); return; }
    if (form.id === "begin") {
      await act("begin", {players: fields.getAll("player"), seed: fields.get("seed")});
      at = null;
      look();
      return;
    }
    const chosen = fields.getAll("choice").map(Number);
    if ((await act("answer", {seat: seat, number: Number(fields.get("number")), chosen: chosen})).ok) at = null;
    look();
  });

  // The lines that cite a clause or give its words.
  function citing(clause) {
    const cites = new RegExp("(?:@|^\\s*> *)" + clause.replace(/[^A-Za-z0-9-]/g, "\\$&") + "(?![A-Za-z0-9-])");
    return session.getDocument().getAllLines().map(function (text, row) { return cites.test(text) ? row + 1 : 0; }).filter(Boolean);
  }

  $("match").addEventListener("click", async function (event) {
    const clause = event.target.closest(".clause summary");
    if (clause) show(citing(clause.textContent.trim()), true);
    const pressed = event.target.closest("button");
    if (!pressed) return;
    if (pressed.classList.contains("event")) {
      const lines = (pressed.closest("li").dataset.lines || "").split(" ").filter(Boolean).map(Number);
      show(lines, true);
    }
    if (pressed.id === "arrange") { held = null; if ((await act("arrange", {at: here()})).ok) { await look(); $("match").scrollTop = 0; $("match").focus(); } }
    if (pressed.id === "arrange-undo" || pressed.id === "arrange-leave") arranged(pressed.id, {});
    if (pressed.id === "undo") { await act("undo"); at = null; look(); }
    if (pressed.id === "go-back") { await act("go-back", {at: at}); at = null; look(); }
    if (pressed.id === "to-now") { at = null; await look(); if ($("time")) $("time").focus(); }
    if (pressed.id === "more-players" || pressed.id === "fewer-players") seats(pressed.id === "more-players");
    if (pressed.id === "position") write("position", {at: here()});
    if (pressed.id === "stretch") write("stretch", {at: here(), count: Number($("stretch-count").value) || 1, text: editor.getValue()});
  });

  // ------------------------------------------------------------ a position arranged by hand

  let held = null;
  async function arranged(action, values) {
    held = null;
    const done = await act(action, values);
    if (done.ok && done.told.text) { append(done.told.text); tell(say("arranged")); }
    look();
  }

  function choose(form, key) {
    const select = document.querySelector("#" + form + " select");
    const option = Array.from(select.options).find(function (one) { return one.value === key; });
    if (option) option.selected = true;
    return option;
  }

  // A card or a pile is a place by the pile; a number may be a pile without cards.
  function goal(key) {
    const words = key.split(" ");
    return words[0] === "card" ? "pile " + words[1] : words[0] === "value" ? "pile " + words.slice(1).join(" ") : key;
  }

  function touch(key, thing) {
    if (held && key !== held.key) {
      const to = goal(key), what = held.key;
      if (!key.startsWith("piece ") && (!key.startsWith("value ") || choose("arrange-move", to))) { arranged("arrange-move", {what: what, to: to}); return; }
    }
    if (held) { held.thing.classList.remove("held"); if (held.key === key) { held = null; return; } }
    held = null;
    if (key.startsWith("value ") && choose("arrange-set", key)) { $("arrange-value").value = ""; $("arrange-value").focus(); return; }
    const option = choose("arrange-move", key);
    if (!option) return;
    held = {key: key, thing: thing};
    thing.classList.add("held");
    tell(say("taken", option.textContent));
  }

  // What happened last to a thing of the picture, and the lines that did it.
  function why(key) {
    const words = key.split(" "), about = words[0] === "card" ? "card " + words[2] : key;
    const told = Array.from(document.querySelectorAll("#story li")).filter(function (item) { return item.dataset.about.split("|").includes(about); });
    document.querySelectorAll("#story .marked").forEach(function (item) { item.classList.remove("marked"); });
    const last = told[told.length - 1];
    if (!last) return;
    last.classList.add("marked");
    last.scrollIntoView({block: "nearest"});
    show((last.dataset.lines || "").split(" ").filter(Boolean).map(Number), true);
  }

  function thingOf(event) { const thing = event.target.closest("#picture [data-key]"); return thing; }
  let pulled = null;
  $("match").addEventListener("pointerdown", function (event) { pulled = document.querySelector(".arranged") && thingOf(event); });
  $("match").addEventListener("pointerup", function (event) {
    const there = pulled && thingOf(event), from = pulled;
    pulled = null;
    if (!there || there === from || !/^(piece|card) /.test(from.dataset.key)) return;
    held = null;
    touch(from.dataset.key, from);
    touch(there.dataset.key, there);
  });
  $("match").addEventListener("click", function (event) {
    const thing = thingOf(event);
    if (!thing || event.target.closest("button")) return;
    if (document.querySelector(".arranged")) touch(thing.dataset.key, thing); else why(thing.dataset.key);
  });
  $("match").addEventListener("keydown", function (event) {
    const thing = (event.key === "Enter" || event.key === " ") && document.querySelector(".arranged") && thingOf(event);
    if (thing) { event.preventDefault(); touch(thing.dataset.key, thing); }
  });

  function here() { return Number($("time").value); }

  function seats(more) {
    const all = document.querySelectorAll("#begin select"), last = all[all.length - 1].closest("label");
    if (more) { const made = last.cloneNode(true); made.firstChild.textContent = say("player") + " "; last.after(made); }
    else if (all.length > 1) last.remove();
  }

  async function write(what, values) {
    const done = await act(what, values);
    if (done.ok && done.told.lines) complete(done.told.lines, done.told.text);
    else if (done.ok) append(done.told.text);
  }

  // An example that checked nothing yet becomes the one that says what came of it.
  function complete(lines, text) {
    const last = lines[1] - 1;
    session.replace(new Range(lines[0] - 1, 0, last, session.getLine(last).length), text.replace(/\n$/, ""));
    go(lines[0]);
  }

  $("match").addEventListener("input", function (event) {
    if (event.target.id === "time") {
      at = Number(event.target.value) === Number(event.target.max) ? null : Number(event.target.value);
      look();
    }
    if (event.target.id === "seen-by") { seat = event.target.value; look(); }
  });

  // ------------------------------------------------------------ figures and examples

  // Figures of what was played before are grey until others come, those of other bots or players at once.
  let asked = false;
  function begins(now) {
    asked = now;
    $("figures").classList.add("begins");
    if (now) $("figures").classList.add("asked");
  }

  // What is typed counts when it has been typed, without a key behind it.
  let measuring = 0;
  $("series").addEventListener("input", function () { clearTimeout(measuring); measuring = setTimeout(measure, 400); });
  function measure() {
    const fields = new FormData($("series")), thinks = fields.get("bots") === "mcts";
    $("strength").hidden = !thinks;
    const bots = thinks ? "mcts:" + (Number(fields.get("strength")) || 1) : fields.get("bots");
    begins(true);
    act("measure", {players: Number(fields.get("players")) || null, bots: bots}).then(function (done) { if (!done.ok) { asked = false; $("figures").classList.remove("begins", "asked"); } });
  }
  $("series").addEventListener("submit", function (event) { event.preventDefault(); });
  $("keep").addEventListener("click", async function () { if ((await act("keep")).ok) tell(say("based")); });
  $("compare-opened").addEventListener("click", async function () { if ((await act("compare-opened")).ok) tell(say("opened")); });
  $("series-result").addEventListener("click", function (event) {
    const pressed = event.target.closest("button");
    if (pressed && pressed.id === "stop") act("stop");
    if (pressed && pressed.dataset.line) go(Number(pressed.dataset.line));
  });
  $("examples").addEventListener("click", async function (event) {
    const pressed = event.target.closest("button");
    if (!pressed) return;
    if (pressed.dataset.line) go(Number(pressed.dataset.line));
    if (pressed.dataset.name !== undefined && (await act("begin-at", {name: pressed.dataset.name})).ok) { at = null; look(); }
  });

  // ------------------------------------------------------------ how the page is laid out

  // The border between match and figures goes up and down, by mouse or by keys.
  function share(part) {
    const whole = Math.round(Math.max(10, Math.min(90, part))), main = document.querySelector("main");
    main.style.setProperty("--match", whole + "fr");
    main.style.setProperty("--figures", (100 - whole) + "fr");
    $("border").setAttribute("aria-valuenow", whole);
  }
  $("border").addEventListener("keydown", function (event) {
    const now = Number($("border").getAttribute("aria-valuenow"));
    const there = {ArrowUp: now - 5, ArrowDown: now + 5, Home: 10, End: 90}[event.key];
    if (there !== undefined) { event.preventDefault(); share(there); }
  });
  $("border").addEventListener("pointerdown", function (event) { $("border").setPointerCapture(event.pointerId); });
  $("border").addEventListener("pointermove", function (event) {
    if (!$("border").hasPointerCapture(event.pointerId)) return;
    const box = document.querySelector("main").getBoundingClientRect();
    share(100 * (event.clientY - box.top) / box.height);
  });
  $("wrap").addEventListener("change", function () { session.setUseWrapMode($("wrap").checked); });

  // ------------------------------------------------------------ outline

  async function outline() {
    const done = await ask("outline", {text: editor.getValue()});
    if (!done.ok) return;
    $("outline").replaceChildren(new Option("", ""), ...done.told.declared.map(function (one) { return new Option(one.words, one.line); }));
  }
  $("outline").addEventListener("focus", outline);
  $("outline").addEventListener("change", function () {
    if ($("outline").value) go(Number($("outline").value));
    $("outline").value = "";
  });

  $("save").addEventListener("click", function () { save(false); });
  $("tidy").addEventListener("click", async function () {
    const done = await act("tidy", {text: editor.getValue()});
    if (done.ok && done.told.text !== editor.getValue()) replace(done.told.text);
    if (done.ok) tell(say("tidied"));
  });

  // ------------------------------------------------------------ news

  const news = new RulekitStreams.Stream("news?lang=" + language);
  function on(part, does) { news.addEventListener(part, function (event) { does(JSON.parse(event.data)); }); }
  on("findings", found);
  on("match", look);
  on("trace", function (told) { counts = told.counts; counted(); look(); });
  on("lines", function (told) { means = told.number === number ? told.counts : {}; counted(); });
  on("figures", function (told) {
    if (told.begins && document.querySelector("#series-result table")) { begins(false); return; }
    if (asked && !told.begins) return;
    asked = false;
    $("figures").classList.remove("begins", "asked");
    $("series-result").innerHTML = told.html;
  });
  on("examples", function (told) { $("examples").innerHTML = told.html; failing(told.failed); outline(); });
  on("disk", function (told) {
    if (told.text === null) { tell(say("gone"), true); return; }
    if (isSaved()) take(told.text); else differs(told.text);
  });
  news.addEventListener("lost", function () { tell(say("unreachable"), true); });
  news.addEventListener("open", function () {
    if ($("done").textContent === say("unreachable")) tell("");
    if (heard) send();
    heard = true;
  });
  // A page that is loaded again holds what was typed, saved or not.
  if ($("editor").dataset.saved) saved = editor.getValue();
  markSaved();
  addEventListener("beforeunload", function (event) { if (!isSaved()) { event.preventDefault(); event.returnValue = true; } });
  window.studio = {editor: editor};
})();
