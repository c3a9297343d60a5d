// What of a page moves, and since when nothing does: mutations of the document, of its open shadow roots and of its same-origin frames,
// animations that end, fonts. The observer is installed by the first question and removed after a while without questions. It
// lives in this world alone: the page's scripts learn nothing of it.

{
  let watching = null;

  const LEASE = 6000; // ms without a question after which nothing is observed any more
  const BEAT = 50; // ms
  const FRESH = 1000; // ms for which what has moved is named
  const MAX_RECORDS = 500; // of one batch that are looked at; the others are counted
  const MAX_MOVED = 300; // elements that are remembered
  const MAX_NAMED = 5;
  const MAX_WORDS = 4000; // nodes of a subject that are read
  const MAX_OBSERVED_ROOTS = 1000;
  const MAX_OBSERVED_FRAMES = 200;

  const innerDocument = getter(HTMLIFrameElement.prototype, 'contentDocument');
  const isConnected = getter(Node.prototype, 'isConnected');
  const addressOf = getter(Node.prototype, 'baseURI');
  const readyState = getter(Document.prototype, 'readyState');
  const targetOf = getter(MutationRecord.prototype, 'target');
  const kindOf = getter(MutationRecord.prototype, 'type');
  const namePart = getter(MutationRecord.prototype, 'attributeName');
  const oldValue = getter(MutationRecord.prototype, 'oldValue');
  const addedNodes = getter(MutationRecord.prototype, 'addedNodes');
  const removedNodes = getter(MutationRecord.prototype, 'removedNodes');
  const boxOf = (el) => Element.prototype.getBoundingClientRect.call(el);
  const clockNow = () => performance.now();

  // watch begins to observe a document, or goes on. A document or shadow root that has come since the last scan is not observed yet, so one
  // is scanned for before a page counts as still for the window.
  function watch(doc, window) {
    if (!watching) {
      const observer = new MutationObserver(seen);
      watching = { id: Math.random().toString(36).slice(2), doc, observer, roots: new Set(), moved: new Map(), subjects: new Map(), replaced: new WeakMap(), since: clockNow(), last: clockNow(),
        count: 0, scanned: -Infinity, scanning: 0, lease: 0, beat: clockNow(), beats: setInterval(beat, BEAT) };
    }
    clearTimeout(watching.lease);
    watching.lease = setTimeout(stopWatching, LEASE);
    beat();
    const now = clockNow();
    const unproved = now - watching.last >= window && watching.scanned - watching.last < window;
    if (unproved || now - watching.scanned > Math.max(200, 20 * watching.scanning)) {
      observeAll(doc);
      watching.scanned = clockNow();
      watching.scanning = watching.scanned - now;
    }
    seen(MutationObserver.prototype.takeRecords.call(watching.observer));
  }

  // beat leaves out of the time that the page stood still what its timers did not run in: a busy page, or a busy machine, changes nothing in it.
  function beat() {
    const now = clockNow();
    if (watching.beat + 2 * BEAT < now) watching.last = Math.min(now, watching.last + now - watching.beat - 2 * BEAT);
    watching.beat = now;
  }

  function stopWatching() {
    if (!watching) return;
    clearTimeout(watching.lease);
    clearInterval(watching.beats);
    watching.observer.disconnect();
    watching = null;
  }

  // observeAll observes the document, and every open shadow root and same-origin frame in it that is not observed yet. One that came after
  // the first look is a change.
  function observeAll(doc) {
    const first = watching.roots.size === 0;
    const open = [doc];
    let frames = 0;
    while (open.length && watching.roots.size < MAX_OBSERVED_ROOTS) {
      const root = open.pop();
      if (!watching.roots.has(root)) {
        watching.roots.add(root);
        watching.observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true });
        if (!first) note(nodeType(root) === 11 ? hostOf(root) : rootElement(root), 'content');
      }
      for (const el of elementsOf(root)) {
        const shadow = shadowRootOf(el);
        if (shadow) open.push(shadow);
        if (localName(el) === 'iframe' && isHTML(el) && frames++ < MAX_OBSERVED_FRAMES) {
          const inner = frameDocument(el);
          if (inner) open.push(inner);
          if (isComing(el, inner)) note(el, 'content');
        }
      }
    }
    for (const root of watching.roots) if (root !== doc && !isLive(root)) watching.roots.delete(root);
  }

  // frameDocument returns the document of a frame of the same origin, or null.
  function frameDocument(el) {
    try {
      return innerDocument(el);
    } catch {
      return null;
    }
  }

  // isComing recognises a frame whose document is written in its markup, and is not there yet. No request tells of it, and it comes when the
  // browser's own process has decided about it, which may take long on a busy machine.
  function isComing(el, inner) {
    return !!inner && hasAttr(el, 'srcdoc') && (attr(el, 'loading') || '').toLowerCase() !== 'lazy' && (documentURL(inner) === 'about:blank' || watching.replaced.get(el) === inner);
  }

  const isLive = (root) => (nodeType(root) === 9 ? !!windowOf(root) : isConnected(hostOf(root)));

  // seen takes note of what was changed.
  function seen(records) {
    if (!watching || !records.length) return;
    for (const record of records.slice(0, MAX_RECORDS)) {
      const target = targetOf(record);
      switch (kindOf(record)) {
        case 'attributes':
          if (namePart(record) === 'srcdoc') replaced(target);
          if (attr(target, namePart(record)) !== oldValue(record)) note(target, namePart(record) === 'style' || namePart(record) === 'class' ? 'style' : 'attribute');
          break;
        case 'characterData':
          if (nodeType(target) === 3 && nodeValue(target) !== oldValue(record)) note(parentOf(target), 'text');
          break;
        default:
          if (!isOurs(target, record)) note(nodeType(target) === 1 ? target : nodeType(target) === 11 ? hostOf(target) : rootElement(target), changed(record).every((n) => nodeType(n) === 3) ? 'text' : 'content');
      }
    }
    if (records.length > MAX_RECORDS) note(null, 'content', records.length - MAX_RECORDS);
    for (const [el, subject] of watching.subjects) if (clockNow() - subject.read > 8) read(el, subject);
  }

  // replaced remembers which document a frame had when it was given another one.
  function replaced(el) {
    const inner = localName(el) === 'iframe' && isHTML(el) ? frameDocument(el) : null;
    if (inner) watching.replaced.set(el, inner);
  }

  const changed = (record) => [...addedNodes(record), ...removedNodes(record)];

  // isOurs recognises the style sheets that Playwright hangs below the root element while it takes a picture.
  function isOurs(target, record) {
    return target === rootElement(watching.doc) && changed(record).every((node) => nodeType(node) === 1 && (localName(node) === 'style' || localName(node).startsWith('x-pw-')));
  }

  // note remembers that an element was changed just now.
  function note(el, what, times = 1) {
    const now = clockNow();
    watching.count += times;
    watching.last = now;
    if (!el) return;
    const known = watching.moved.get(el);
    if (known) {
      known.n += times;
      known.at = now;
      known.what = what;
      return;
    }
    if (watching.moved.size >= MAX_MOVED) for (const [old, { at }] of watching.moved) if (now - at > FRESH) watching.moved.delete(old);
    if (watching.moved.size < MAX_MOVED) watching.moved.set(el, { what, n: times, at: now });
  }

  // wordsOf returns all that an element says: its texts, and what its controls hold. Of a large one only the beginning is read.
  function wordsOf(el) {
    const out = [], open = [el];
    for (let i = 0; open.length && i < MAX_WORDS; i++) {
      const node = open.pop();
      if (nodeType(node) === 3) {
        out.push(nodeValue(node));
        continue;
      }
      const value = own(node, 'value');
      if (typeof value === 'string') out.push(value, matches(node, ':checked') ? '+' : '');
      const children = flatChildren(node);
      for (let k = children.length - 1; k >= 0; k--) open.push(children[k]);
    }
    return out.join('\u0001');
  }

  // read looks whether a subject is as it was.
  function read(el, subject) {
    const words = wordsOf(el), r = boxOf(el);
    const box = [r.left, r.top, r.width, r.height].map((n) => Math.round(n * 2) / 2).join(' ');
    const now = clockNow();
    subject.read = now;
    if (subject.words === words && subject.box === box) return;
    if (subject.words !== undefined) subject.what = subject.words === words ? 'box' : 'text';
    Object.assign(subject, { words, box, at: now, n: subject.n + 1 });
  }

  // subjectOf returns since when an element stands still, and what of it moved last.
  function subjectOf(el) {
    let subject = watching.subjects.get(el);
    if (!subject) {
      for (const [old] of watching.subjects) if (!isConnected(old) || watching.subjects.size > 20) watching.subjects.delete(old);
      subject = { n: -1, at: 0, what: '', words: undefined, box: undefined, read: 0 };
      watching.subjects.set(el, subject);
    }
    read(el, subject);
    return { still: clockNow() - subject.at, what: subject.what, n: subject.n };
  }

  // animationsIn parts what is animated: what comes to an end by itself, and what never does. Scrolling is not what moves by itself.
  function animationsIn() {
    const ends = [], endless = [], known = new Set();
    for (const root of watching.roots) {
      if (!isLive(root)) continue;
      for (const animation of animationsOf(root)) {
        if (known.has(animation) || animation.playState !== 'running' || animation.playbackRate === 0 || !animation.effect) continue;
        known.add(animation);
        if (!animation.timeline || animation.timeline.currentTime === null || typeof animation.timeline.currentTime !== 'number') continue;
        const target = animation.effect.target;
        if (!target || !rendered(target)) continue;
        (Number.isFinite(animation.effect.getComputedTiming().endTime) ? ends : endless).push(target);
      }
    }
    return { ends, endless };
  }

  // concerns reports whether what happens to an element happens to the subject: the one stands in the other.
  function concerns(el, subject) {
    for (let node = el; node; node = flatParent(node)) if (node === subject) return true;
    for (let node = subject; node; node = flatParent(node)) if (node === el) return true;
    return false;
  }

  const nameMoved = (el, what, n) => ({ s: (ownerDocument(el) === watching.doc ? '' : 'in a frame: ') + cssPath(el), w: what, n });

  // moving names what was changed within the last second, what was changed most first, and what is animated.
  function moving(animations) {
    const now = clockNow(), out = [];
    const recent = [...watching.moved].filter(([el, m]) => now - m.at < FRESH && isConnected(el)).sort((a, b) => b[1].n - a[1].n);
    for (const [el, m] of recent.slice(0, MAX_NAMED)) out.push(nameMoved(el, m.what, m.n));
    for (const el of new Set([...animations.ends, ...animations.endless].slice(0, MAX_NAMED))) if (out.length < 2 * MAX_NAMED) out.push(nameMoved(el, 'animation', 0));
    return out;
  }

  // refreshOf returns how many ms after it has loaded the document goes elsewhere by itself, as its markup says; -1: it does not.
  function refreshOf(doc) {
    let first = -1;
    for (const meta of allIn(doc, 'meta[http-equiv]')) {
      if ((attr(meta, 'http-equiv') || '').toLowerCase() !== 'refresh') continue;
      const seconds = parseFloat(attr(meta, 'content') || '');
      if (seconds >= 0 && (first < 0 || seconds * 1000 < first)) first = seconds * 1000;
    }
    return first < 0 ? -1 : Math.max(0, first - (clockNow() - loadedAt()));
  }

  const loadedAt = () => {
    const [entry] = performance.getEntriesByType('navigation');
    return (entry && (entry.loadEventEnd || entry.domContentLoadedEventEnd)) || clockNow();
  };

  // unusedPreloads lists what the document has the browser fetch ahead and does not use itself.
  function unusedPreloads(doc) {
    const out = [];
    for (const link of [...allIn(doc, 'link[rel~=preload], link[rel~=prefetch], link[rel~=modulepreload]')].slice(0, 100)) {
      const href = attr(link, 'href');
      if (!href) continue;
      const quoted = '"' + CSS.escape(href) + '"';
      if (allIn(doc, '[src=' + quoted + '], link[rel~=stylesheet][href=' + quoted + ']').length) continue;
      try {
        out.push(new URL(href, addressOf(doc)).href);
      } catch {}
    }
    return out;
  }

  // rest returns how long the page, and the subject if one is given, have stood still, and what moves where that is wanted.
  OPS.rest = (doc, scope, { named, within, calm }) => {
    if (watching && watching.doc !== doc) stopWatching();
    watch(doc, within);
    const animations = animationsIn();
    const subject = scope ? subjectOf(scope) : null;
    const out = { id: watching.id, count: watching.count, still: Math.max(0, watching.scanned - watching.last), ending: animations.ends.length, endless: animations.endless.length,
      loading: readyState(doc) === 'loading', fonts: fontsOf(doc).status === 'loading', refresh: refreshOf(doc), preloads: unusedPreloads(doc) };
    if (subject) {
      const mine = animations.ends.filter((el) => concerns(el, scope));
      out.subject = { ...subject, line: cssPath(scope), ending: mine.length };
    }
    if (named) out.moving = moving(animations);
    out.set = setTimers(doc);
    if (calm) Object.assign(out, { calm: OPS.still(doc, null, { within }).ago, title: documentTitle(doc) });
    return out;
  };

  const MAX_STILL = 5000; // elements
  // What is painted by what nobody can observe: frames, players, and what moves by its own markup.
  const UNSEEN_INTO = new Set(['iframe', 'frame', 'object', 'embed', 'canvas', 'video', 'audio', 'marquee', 'animate', 'animatetransform', 'animatemotion', 'set']);
  const HOLDING = new Set(['input', 'textarea', 'select']);
  const isComplete = getter(HTMLImageElement.prototype, 'complete');

  // mayChange reports whether the document may change without an act: something of it runs, comes, or can't be observed. What nobody tells of its
  // changes, such as what a control holds, is looked at meanwhile.
  function mayChange(doc, within) {
    const told = askedOf(windowOf(doc) || window, within);
    if (!told || told[0] > 0 || told[1] > 0 || readyState(doc) !== 'complete' || fontsOf(doc).status === 'loading' || refreshOf(doc) >= 0) return true;
    if (told[2] >= 0) recorder.stir(told[2]);
    const open = [doc];
    for (let n = 0; open.length; ) {
      const root = open.pop();
      recorder.observe(root);
      if (animationsOf(root).some((animation) => animation.playState === 'running')) {
        recorder.stir(); // it may be over by the next question
        return true;
      }
      for (const el of elementsOf(root)) {
        const tag = tagOf(el), shadow = shadowRootOf(el);
        if (++n > MAX_STILL || UNSEEN_INTO.has(tag)) return true;
        if (shadow) open.push(shadow);
        else if (tag.includes('-') && matches(el, ':defined')) return true; // it may have a closed root
        if (HOLDING.has(tag) && isHTML(el)) recorder.keep(el);
        if (tag === 'img' && isHTML(el) && !isComplete(el) && attr(el, 'loading') !== 'lazy') return true;
      }
    }
    return false;
  }

  // still answers for how long nothing of the document was changed, as far as that is observed, and whether anything may come within so many ms.
  OPS.still = (doc, scope, { within }) => ({ ago: recorder && recorder.doc === doc && !mayChange(doc, within) ? recorder.quiet() : 0, set: setTimers(doc) });
}
