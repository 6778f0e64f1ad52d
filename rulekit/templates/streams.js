// Streams of server-sent events, of which a browser holds one for all its pages of a server.
// A browser opens six connections to a server over HTTP/1.1, and a stream keeps one for good: with a stream for each page, six
// pages would leave none for answers. So a shared worker holds the stream and tells the pages; where there are no shared workers,
// a page holds a stream of its own while it can be seen. This file is the script of the pages and of the worker.
"use strict";
const RulekitStreams = (function () {
  const PULSE = 10000, LONGEST = 20000, AGAIN = 2000, LATEST = 10000, FORGOTTEN = 300000, PING = 20000, WORKER_LOST = 60000;
  // In the address of a stream it stands for the topics of all pages, such as their seats.
  const TOPICS = "{}";

  // One stream, and who listens: it is opened anew when it ends, and when it is silent for longer than its server announced.
  class Channel {
    constructor(address) {
      this.address = address;
      this.listeners = new Map();
      this.newest = new Map();
      this.topics = [];
      this.source = null;
      this.pulse = PULSE;
      this.heard = 0;
      this.isOpen = false;
      this.retry = 0;
      this.failures = 0;
    }

    watch(listener, topic, tell) {
      const isNew = !this.listeners.has(listener);
      this.listeners.set(listener, {topic: topic, tell: tell, seen: Date.now()});
      if (!this.source && !this.retry || !this.topics.includes(topic)) this.open();
      else if (isNew) this.greet(tell, topic);
    }

    // What whoever comes late has missed.
    greet(tell, topic) {
      if (this.isOpen) tell("open", "");
      for (const told of this.newest.values()) if (told.topic === topic) tell(told.kind, told.data);
    }

    leave(listener) {
      this.listeners.delete(listener);
      if (!this.listeners.size) this.close();
    }

    tell(kind, data, topic) {
      for (const one of this.listeners.values()) if (topic === undefined || one.topic === topic) one.tell(kind, data);
    }

    open() {
      this.close();
      this.topics = Array.from(new Set(Array.from(this.listeners.values(), function (one) { return one.topic; })));
      this.newest.clear();
      this.heard = Date.now();
      const source = this.source = new EventSource(this.address.replace(TOPICS, this.topics.join(".")));
      source.onopen = () => {
        this.heard = Date.now();
        this.isOpen = true;
        this.failures = 0;
        this.tell("open", "");
      };
      source.onerror = () => {
        this.lost();
        // Some browsers give up where the server was gone for a moment, all do where it refused.
        if (source.readyState === EventSource.CLOSED) this.later();
      };
      source.addEventListener("alive", (event) => {
        this.heard = Date.now();
        this.pulse = 1000 * Number(event.data);
        this.tell("alive", "");
      });
      source.addEventListener("part", (event) => { this.news(JSON.parse(event.data)); });
    }

    // The server numbers topics by their place in the address.
    news(told) {
      const topic = this.address.includes(TOPICS) ? this.topics[told.topic] : "";
      this.heard = Date.now();
      this.newest.set(topic + " " + told.kind, {topic: topic, kind: told.kind, data: told.data});
      this.tell(told.kind, told.data, topic);
    }

    lost() {
      this.isOpen = false;
      this.heard = Date.now();
      this.tell("lost", "");
    }

    later() {
      this.close();
      this.failures += 1;
      this.retry = setTimeout(() => { if (this.listeners.size) this.open(); }, Math.min(LATEST, this.failures * AGAIN));
    }

    close() {
      clearTimeout(this.retry);
      this.retry = 0;
      if (this.source) this.source.close();
      this.source = null;
      this.isOpen = false;
    }

    // A browser may ask over another connection that has broken too: it is given up soon, but later each time.
    patience(pulses) {
      return this.isOpen ? pulses * this.pulse : Math.min(LONGEST, 0.4 * this.pulse * 2 ** this.failures);
    }

    // Called each second, and when a page has a reason to doubt: it is looked at again, or the network has changed.
    check(pulses) {
      for (const [listener, one] of this.listeners) if (Date.now() - one.seen > FORGOTTEN) this.leave(listener);
      if (this.source && Date.now() - this.heard <= this.patience(pulses)) return;
      if (this.source) this.lost();
      this.failures += 1;
      this.open();
    }
  }

  // The channels of a worker, or of a page that has none.
  class Channels {
    constructor() {
      this.all = new Map();
      setInterval(() => { this.check(2.5); }, 1000);
    }

    check(pulses) {
      for (const channel of this.all.values()) if (channel.source) channel.check(pulses);
    }

    // What a page asks for: `watch`, said again now and then as a sign of life, `check` or `leave`.
    take(listener, asked, tell) {
      if (!this.all.has(asked.address)) this.all.set(asked.address, new Channel(asked.address));
      const channel = this.all.get(asked.address);
      if (asked.what === "watch") channel.watch(listener, asked.topic, tell);
      else if (asked.what === "leave") channel.leave(listener);
      else if (channel.listeners.size) channel.check(asked.pulses);
    }
  }

  // A page's end: an `EventTarget` with the events of the server, and `open` and `lost`.
  class Stream extends EventTarget {
    constructor(address, topic) {
      super();
      this.address = new URL(address, location.href).href.replace("%7B%7D", TOPICS);
      this.topic = topic || "";
      this.port = null;
      this.channels = null;
      this.isLeft = true;
      this.heard = this.ticked = Date.now();
      setInterval(() => { this.tick(); }, 1000);
      setInterval(() => { this.ask("watch"); }, PING);
      addEventListener("pagehide", () => { this.ask("leave"); this.isLeft = true; });
      addEventListener("pageshow", () => { this.doubt(1.5); });
      addEventListener("focus", () => { this.doubt(1.5); });
      addEventListener("online", () => { this.doubt(0); });
      document.addEventListener("visibilitychange", () => { this.doubt(1.5); });
      this.begin();
    }

    begin() {
      try {
        const worker = new SharedWorker(SCRIPT, "rulekit streams");
        worker.onerror = () => { this.alone(); };
        this.port = worker.port;
        this.port.onmessage = (event) => { this.said(event.data.kind, event.data.data); };
      } catch (fault) {
        this.alone();
      }
      this.doubt(1.5);
    }

    // Holds a stream of its own.
    alone() {
      this.port = null;
      this.channels = this.channels || new Channels();
      this.heard = Date.now();
      this.ask("watch");
    }

    doubt(pulses) {
      if (this.channels && document.hidden) {
        this.ask("leave");
        return;
      }
      this.isLeft = false;
      this.ask("watch");
      this.ask("check", pulses);
    }

    ask(what, pulses) {
      if (this.isLeft || what === "watch" && this.channels && document.hidden) return;
      const asked = {what: what, address: this.address, topic: this.topic, pulses: pulses};
      if (this.port) this.port.postMessage(asked);
      else this.channels.take(this, asked, (kind, data) => { this.said(kind, data); });
    }

    said(kind, data) {
      this.heard = Date.now();
      this.dispatchEvent(new MessageEvent(kind, {data: data}));
    }

    // A worker that says nothing for long has ended; a page that slept has heard nothing meanwhile.
    tick() {
      const now = Date.now();
      if (now - this.ticked > 5000) this.heard = now;
      this.ticked = now;
      if (this.port && now - this.heard > WORKER_LOST) this.alone();
    }
  }

  const inWorker = typeof SharedWorkerGlobalScope !== "undefined";
  const SCRIPT = inWorker ? "" : document.currentScript.src;
  if (inWorker) {
    const channels = new Channels();
    self.onconnect = function (event) {
      const port = event.ports[0];
      port.onmessage = function (message) {
        channels.take(port, message.data, function (kind, data) { port.postMessage({kind: kind, data: data}); });
      };
    };
  }
  return {Stream: Stream};
})();
