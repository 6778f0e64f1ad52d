// The studio's page: the editor sends its text, and what is found about it comes back as news.
"use strict";
(function () {
  const $ = function (id) { return document.getElementById(id); };
  const Range = ace.require("ace/range").Range;
  const language = document.documentElement.lang;
  // read: the version of the file that this page's text was made of; saved: the text of that version, once it is known.
  // number: of the text by the studio's count, null until it knows it; edits: how often it was changed here.
  let number = $("editor").dataset.number === "" ? null : Number($("editor").dataset.number), edits = 0, read = $("editor").dataset.read, saved = null, sending = false, dirty = false, heard = false, at = null, seat = "", dragged = null, counts = {}, means = {};

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
  // HTML holds no NUL: a text with one comes as JSON too.
  if ($("editor").dataset.exact) session.setValue(JSON.parse($("editor").dataset.exact));
  // Tab indents, or takes what is offered; after Escape it goes on to the next part of the page, as the editor has it.

  // Wherever the focus is: the browser would save the page instead.  A keyboard without Latin letters has the key too.
  function isSaveKey(event) {
    const isLetter = event.key.toLowerCase() === "s" || (event.code === "KeyS" && !/^[a-z]$/i.test(event.key));
    return isLetter && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  }
  addEventListener("keydown", function (event) {
    if (!isSaveKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) save(read);
  }, true);

  // Columns here count UTF-16 units from 0, those of the rules code points from 1.
  function points(row, units) { return Array.from(session.getLine(row).slice(0, units)).length + 1; }
  function units(line, column) { return Array.from(session.getLine(line - 1)).slice(0, column - 1).join("").length; }
  function range(from, to) { return new Range(from[0] - 1, units(from[0], from[1]), to[0] - 1, units(to[0], to[1])); }

  // The server refuses what is too long before it has read all of it, and a browser may not hear that.
  async function ask(name, values) {
    const body = JSON.stringify(values || {});
    if (new Blob([body]).size > Number($("editor").dataset.most)) return refused(say("too-long"));
    try {
      const answer = await fetch("do/" + name + "?lang=" + language, {method: "POST", body: body});
      if (answer.status === 413) return refused(say("too-long"));
      const told = await answer.json();
      if (!answer.ok) tell(told.problem, true);
      return {ok: answer.ok, told: told};
    } catch (fault) {
      // No studio is there, or another one, which does not know this page.
      return refused(say("unreachable"));
    }
  }

  function refused(problem) {
    tell(problem, true);
    return {ok: false, told: {problem: problem}};
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
      const sent = edits, done = await ask("put", {text: editor.getValue(), read: read, page: isTyped ? slot.slice(DRAFTS.length) : "", at: Date.now()});
      if (done.ok && sent === edits) numbered(done.told.number);
    } while (dirty);
    sending = false;
  }

  // What is found may come before the answer that says which text it is about.
  const newest = {};
  function numbered(now) {
    number = now;
    if (newest.findings) found(newest.findings);
    age();
  }

  // Two pages share a studio, which looks at the text of the one in which somebody works.
  addEventListener("focus", function () { if (newest.findings && newest.findings.number !== number) send(); });

  session.on("change", function (delta) {
    edits += 1;
    number = null;
    counts = moved(counts, delta);
    means = moved(means, delta);
    age();
    tell("");
    markSaved();
    sendSoon();
  });

  // A replacement is two changes at once; nobody shall be given the text between them.
  let isDue = false;
  function sendSoon() {
    if (isDue) return;
    isDue = true;
    queueMicrotask(function () { isDue = false; send(); });
  }

  // Where nobody has closed the page yet it is said beside the button and in the title of the window.
  function isSaved() { return editor.getValue() === saved; }

  function markSaved() {
    $("unsaved").hidden = isSaved();
    document.title = (isSaved() ? "" : "\u25cf ") + document.title.replace(/^\u25cf /, "");
  }

  // Refused if the file does not hold the version that was read; mine goes over it only as it was shown.
  let saving = false, savesAgain = false;
  async function save(version) {
    if (saving) { savesAgain = true; return; }
    saving = true;
    const done = await act("save", {text: editor.getValue(), read: version});
    saving = false;
    if (done.ok) {
      const returns = file ? file.returns : 0;
      learn(done.told);
      agree(done.told);
      tell(say(returns ? "returns-saved" : "saved"));
    }
    if (done.told.conflict) {
      learn(done.told.conflict);
      differs(file, file.text === null ? "unread" : "other");
    } else if (file && file.version !== read) follows();
    if (savesAgain) { savesAgain = false; save(read); }
  }

  // The page has read this state of the file.
  function agree(state) {
    read = state.version;
    saved = state.text;
    conflict = null;
    $("disk").hidden = true;
    if (state.returns) tell(say("returns", state.returns));
    markSaved();
    keepDraft();
  }

  // The whole text as one change, so that it can be taken back at once.
  function replace(text) {
    const whole = new Range(0, 0, session.getLength(), 0), place = editor.getCursorPosition();
    session.replace(whole, text);
    editor.moveCursorToPosition(place);
    editor.clearSelection();
  }

  // ------------------------------------------------------------ what others write into the file

  // conflict: the state of the file about which the page asks; file: the newest that is known.
  let conflict = null, file = null, comparing = 0;

  function disk(state) {
    const isFirst = file === null;
    if (learn(state) && !saving) follows();
    if (isFirst) offerDraft();
  }

  // Answers and news may overtake each other; a state is newer by its number.
  function learn(state) {
    if (file !== null && state.serial <= file.serial) return false;
    file = state;
    return true;
  }

  function follows() {
    if (file.text === null) { saved = null; markSaved(); tell(say(file.version === "gone" ? "gone" : "unreadable"), true); }
    else if (file.version === read) agree(file);
    else if (isSaved() || file.text === editor.getValue()) take(file);
    else differs(file, "outside");
  }

  function take(state) {
    agree(state);
    if (state.text !== editor.getValue()) replace(state.text);
  }

  function differs(state, words) {
    conflict = state;
    const choices = [button(say("over"), function () { save(conflict.version); editor.focus(); })];
    if (state.text !== null) choices.unshift(button(say("take"), function () { take(conflict); editor.focus(); }));
    notice($("disk"), say(words), choices);
    compare();
  }

  function notice(box, words, choices) {
    const told = document.createElement("p"), bar = document.createElement("div"), lines = document.createElement("div");
    told.textContent = words;
    told.setAttribute("role", "alert");
    bar.className = "choices";
    bar.append(...choices);
    lines.className = "difference";
    box.replaceChildren(told, bar, lines);
    box.hidden = false;
  }

  async function compare() {
    if (conflict === null || conflict.text === null) return;
    const state = conflict, done = await ask("difference", {old: state.text, new: editor.getValue()});
    if (!done.ok || conflict !== state) return;
    if (done.told.lines.length) showDifference($("disk"), done.told, say("legend"));
    else take(state);
  }

  session.on("change", function () {
    if (conflict === null) return;
    clearTimeout(comparing);
    comparing = setTimeout(compare, 400);
  });

  const SIGNS = {both: "\u00a0 ", old: "\u2212 ", "new": "+ ", gap: "\u22ef"};
  function showDifference(box, told, legend) {
    const lines = document.createElement("pre"), words = document.createElement("p");
    words.textContent = legend + (told.more ? "; " + say("more-lines", told.more) : "");
    words.className = "why";
    lines.tabIndex = 0;
    lines.append(...told.lines.map(function (line) {
      const made = document.createElement(line.side === "old" ? "del" : line.side === "new" ? "ins" : "span");
      made.textContent = SIGNS[line.side] + line.text + "\n";
      return made;
    }));
    box.querySelector(".difference").replaceChildren(words, lines);
  }

  // ------------------------------------------------------------ drafts

  // What is not saved is kept in the browser, for each page by itself.  A page holds the lock of its draft as long as it
  // is open, so that others know whose draft nobody has before them; it finds its own again when it is loaded again.
  const DRAFTS = "rulekit draft of " + $("editor").dataset.file + " ", OWN = "rulekit page of " + $("editor").dataset.file, OLD = 60 * 24 * 3600 * 1000;
  // isTyped: whether this page holds something that no other page has given it.
  let keeping = 0, isTyped = false;

  // A browser may refuse to keep anything, or have no room.
  function stored(act) { try { return act(); } catch (fault) { return null; } }

  const slot = stored(function () {
    const own = sessionStorage.getItem(OWN);
    sessionStorage.removeItem(OWN);  // A tab that is made as a copy of this one is another page.
    return own;
  }) || DRAFTS + Date.now() + " " + Math.random();
  if (navigator.locks) navigator.locks.request(slot, function () { return new Promise(function () {}); });

  function draft(name) { return stored(function () { return JSON.parse(localStorage.getItem(name)); }); }

  function keepDraft() {
    clearTimeout(keeping);
    stored(function () {
      if (isSaved() || !isTyped) localStorage.removeItem(slot);
      else localStorage.setItem(slot, JSON.stringify({text: editor.getValue(), read: read, at: Date.now()}));
    });
  }

  session.on("change", function () {
    isTyped = true;
    clearTimeout(keeping);
    keeping = setTimeout(keepDraft, 300);
  });
  addEventListener("pagehide", function () {
    keepDraft();
    stored(function () { sessionStorage.setItem(OWN, slot); });
  });

  function restore(made) {
    isTyped = true;
    read = made.read;
    saved = null;
    if (made.text !== editor.getValue()) { replace(made.text); tell(say("restored")); }
    markSaved();
  }

  // The newest unsaved text of another page: of one that was closed, as this browser keeps it, and of any that the
  // studio knows, in other browsers too.  What an open page of this browser keeps is its own.
  async function offerDraft() {
    const held = navigator.locks ? (await navigator.locks.query()).held.map(function (lock) { return lock.name; }) : [];
    const names = stored(function () { return Object.keys(localStorage); }) || [];
    const lost = names.filter(function (name) { return name.startsWith(DRAFTS) && name !== slot && !held.includes(name); });
    const drafts = lost.map(function (name) { return Object.assign({name: name}, draft(name)); });
    const others = await ask("unsaved", {page: slot.slice(DRAFTS.length)});
    if (others.ok) others.told.unsaved.forEach(function (one) {
      drafts.push(Object.assign(one, {name: DRAFTS + one.name, isOpen: held.includes(DRAFTS + one.name)}));
    });
    const made = drafts.filter(function (one) {
      const isWanted = typeof one.text === "string" && one.text !== file.text && one.at > Date.now() - OLD;
      if (!isWanted) forget(one);
      return isWanted && one.text !== editor.getValue();
    }).sort(function (a, b) { return b.at - a.at; })[0];
    $("draft").hidden = !made;
    if (!made) return;
    notice($("draft"), say("draft", new Date(made.at).toLocaleString(language)), [
      button(say("draft-take"), async function () { restore(made); keepDraft(); follows(); editor.focus(); await forget(made); offerDraft(); }),
      button(say("draft-drop"), async function () { await forget(made); offerDraft(); })
    ]);
    const done = await ask("difference", {old: editor.getValue(), new: made.text});
    if (done.ok) showDifference($("draft"), done.told, say("draft-legend"));
  }

  function forget(made) {
    if (!made.isOpen) stored(function () { localStorage.removeItem(made.name); });
    return ask("discard", {page: made.name.slice(DRAFTS.length)});
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

  // What belongs to another text than that in the editor is grey.  hasFault: no game stands there, so nothing newer comes.
  let hasFault = false;
  function age() {
    const isOld = function (part) { return Boolean(newest[part]) && newest[part].number !== number; };
    $("match").classList.toggle("old", hasFault);
    $("figures").classList.toggle("old", hasFault);
    $("figures-old").hidden = !hasFault;
    $("figures").classList.toggle("begins", !hasFault && (asked || isOld("figures") || Boolean(newest.figures && newest.figures.begins)));
    $("examples").classList.toggle("old", isOld("examples"));
    $("fails").classList.toggle("old", isOld("examples"));
    editor.container.classList.toggle("old-counts", hasOldCounts());
  }

  function hasOldCounts() { return ["trace", "lines"].some(function (part) { return newest[part] && newest[part].number !== number; }); }

  let marks = [];
  function found(news) {
    if (news.number !== number) return;
    const was = hasFault;
    hasFault = !news.is_game;
    if (was !== hasFault) look();
    $("figures-old").textContent = news.game_time ? say("old", news.game_time) : say("old-untimed");
    age();
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
    if (!done.ok) return;
    const ways = done.told.corrections;
    if (!ways.length) { pressed.replaceWith("(" + say("not-mended") + ")"); return; }
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

  // Counts stay beside their lines while lines come and go above them.
  function moved(counts, delta) {
    const rows = delta.end.row - delta.start.row, made = {};
    if (!rows) return counts;
    const first = delta.start.row + (delta.start.column ? 2 : 1), step = delta.action === "insert" ? rows : -rows;
    Object.keys(counts).forEach(function (line) {
      const to = line < first ? Number(line) : Number(line) + step;
      if (line < first || to >= first) made[to] = counts[line];
    });
    return made;
  }

  function short(mean) { return mean && mean < 0.05 ? "<.1" : mean < 9.95 ? String(Math.round(10 * mean) / 10) : mean < 1000 ? String(Math.round(mean)) : Math.round(mean / 1000) + "k"; }

  function counted() {
    editor.renderer.updateFull();
    tellLine();
  }

  function tellLine() {
    const line = editor.getCursorPosition().row + 1, told = [say("line", line)];
    if (counts[line]) told.push(say("ran", counts[line]));
    if (means[line] !== undefined) told.push(say("runs", short(means[line])));
    if (told.length > 1 && hasOldCounts()) told.push(say("old-counts"));
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
    if (pressed.id === "new-match") $("begin").requestSubmit();
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
    $("figures").classList.toggle("asked", now);
    age();
  }

  // What is typed counts when it has been typed, without a key behind it.
  let measuring = 0;
  $("series").addEventListener("input", function () { clearTimeout(measuring); measuring = setTimeout(measure, 400); });
  function measure() {
    const fields = new FormData($("series")), thinks = fields.get("bots") === "mcts";
    $("strength").hidden = !thinks;
    const bots = thinks ? "mcts:" + (Number(fields.get("strength")) || 1) : fields.get("bots");
    begins(true);
    act("measure", {players: Number(fields.get("players")) || null, bots: bots}).then(function (done) { if (!done.ok) begins(false); });
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

  $("save").addEventListener("click", function () { save(read); });
  $("tidy").addEventListener("click", async function () {
    const done = await act("tidy", {text: editor.getValue()});
    if (done.ok && done.told.text !== editor.getValue()) replace(done.told.text);
    if (done.ok) tell(say("tidied"));
  });

  // ------------------------------------------------------------ news

  const hears = {
    findings: found,
    match: look,
    trace: function (told) { counts = told.counts; counted(); look(); },
    lines: function (told) { means = told.counts; counted(); },
    figures: function (told) {
      if (told.begins && document.querySelector("#series-result table")) { begins(false); return; }
      if (asked && !told.begins) return;
      begins(false);
      $("series-result").innerHTML = told.html;
    },
    examples: function (told) { $("examples").innerHTML = told.html; failing(told.failed); outline(); },
    disk: disk
  };

  function hear() {
    const news = new RulekitStreams.Stream("news?lang=" + language);
    Object.keys(hears).forEach(function (part) { news.addEventListener(part, function (event) {
      newest[part] = JSON.parse(event.data);
      hears[part](newest[part]);
      age();
    }); });
    news.addEventListener("lost", function () {
      tell(say("unreachable"), true);
      if (file) file.serial = 0;  // Another studio may answer next, which counts anew.
    });
    news.addEventListener("open", function () {
      if ($("done").textContent === say("unreachable")) tell("");
      if (heard) send();
      heard = true;
    });
  }

  // A page that is loaded again holds what was typed in it, saved or not.
  if ($("editor").dataset.saved) saved = editor.getValue();
  const own = draft(slot);
  if (own) restore(own);
  if (number === null) sendSoon();
  markSaved();
  hear();
  addEventListener("beforeunload", function (event) { if (!isSaved()) { event.preventDefault(); event.returnValue = true; } });
  window.studio = {editor: editor};
})();
