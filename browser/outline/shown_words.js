// What was seen of a document, though it may be gone since: texts that came, were changed or were brought into sight, a block each. It is recorded from
// when this engine comes to the document, which is before the first act on it. What stands for less than a look is not seen. It lives in this
// world alone: the page's scripts learn nothing of it.

const newRecorder = (() => {
  const LOOK = 50, PAUSE = 100; // ms from a change to the look at it, and between two looks
  const PATIENCE = 1500; // ms for which a text that is not seen yet is looked at again: it may fade in
  const BUDGET = 8; // ms of one look; what is left is for the next
  const MAX_SHOWN = 300; // texts that are remembered
  const MAX_OPEN = 500; // elements that wait for a look
  const MAX_NODES = 60; // texts of one change, or of one block
  const MAX_LENGTH = 400;
  const MAX_TAKEN = 200; // elements
  const LIVE = '[role=status], [role=alert], [role=log], [aria-live], output';
  const MAX_TOAST = 0.25; // of the window
  const NO_TOAST = new Set(['navigation', 'banner', 'contentinfo', 'dialog', 'alertdialog', 'menu', 'menubar', 'listbox', 'tooltip', 'toolbar', 'main']);
  const NO_TOAST_TAGS = new Set(['nav', 'header', 'footer', 'dialog', 'menu', 'main', 'body', 'html']);

  const connected = getter(Node.prototype, 'isConnected');
  const target = getter(MutationRecord.prototype, 'target');
  const added = getter(MutationRecord.prototype, 'addedNodes');
  const removed = getter(MutationRecord.prototype, 'removedNodes');
  const kind = getter(MutationRecord.prototype, 'type');
  const now = () => performance.now();
  const inlineBox = (el) => /^(inline$|contents$|ruby)/.test(styleOf(el).display);

  // changedBefore returns when a document was changed last before the recorder came, as far as that was observed, and ends that.
  function changedBefore(doc) {
    const begun = globalThis.assayObserved;
    if (doc !== document || begun.over) return now();
    begun.end();
    return begun.last;
  }

  // holds returns what a control holds and how it stands, as a text that differs where that differs.
  const holds = (el) => heldAs(el) + '\n' + own(el, 'checked') + own(el, 'indeterminate');

  return class {
    constructor(doc) {
      this.doc = doc;
      this.shown = []; // oldest first
      this.count = 0; // of places
      this.newest = new WeakMap(); // of a block, the newest of them
      this.places = new WeakMap(); // numbers of blocks, and of elements around them
      this.open = new Map(); // elements to look at, until when
      this.roots = new WeakSet();
      this.lost = -Infinity; // when something could not be looked at
      this.last = changedBefore(doc); // when anything was changed last
      this.took = -Infinity; // when an element was taken away last
      this.taken = []; // elements that were taken away since the newest act
      this.observer = new MutationObserver((records) => this.changed(records));
      this.attributes = new MutationObserver(() => { this.stirred = now(); });
      this.stirred = this.last; // when any attribute, control or style was changed last
      this.held = new WeakMap(); // what controls held when they were looked at last
      this.observe(doc);
      this.began = false;
      this.wake(LOOK);
    }

    observe(root) {
      if (this.roots.has(root)) return;
      if (root !== this.doc) this.last = now(); // what was changed in it before is not known
      this.roots.add(root);
      this.observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['class', 'style', 'hidden', 'open', 'popover'] });
      this.attributes.observe(root, { subtree: true, attributes: true });
    }

    wake(ms) {
      if (!this.timer) this.timer = setTimeout(() => { this.timer = 0; this.look(); }, ms);
    }

    // catchUp reads the changes that were not told yet.
    catchUp() {
      this.changed(MutationObserver.prototype.takeRecords.call(this.observer));
    }

    // stir notes that something was changed that no observer tells, so many ms ago.
    stir(ago = 0) {
      this.stirred = Math.max(this.stirred, now() - ago);
    }

    // keep notes what a control holds. A script changes that without an event.
    keep(control) {
      const held = holds(control), before = this.held.get(control);
      this.held.set(control, held);
      if (before !== undefined && before !== held) this.stir();
    }

    // unchanged returns for how long nothing was changed, in ms.
    unchanged() {
      this.catchUp();
      if (MutationObserver.prototype.takeRecords.call(this.attributes).length) this.stir();
      return now() - Math.max(this.last, this.stirred);
    }

    // quiet returns for how long nothing was changed, nor anything happened that changes how it is shown, in ms.
    quiet() {
      if (!this.began) this.begin();
      return Math.min(this.unchanged(), now() - globalThis.assayObserved.last);
    }

    // begin notes which announcements stand there already, and finds the shadow roots.
    begin() {
      this.began = true;
      for (const el of [...allIn(this.doc, LIVE)].slice(0, MAX_NODES)) this.textsOf(el, true);
      const body = Document.prototype.querySelector.call(this.doc, 'body');
      for (const el of body ? [...allIn(this.doc, 'body > *, body > * > *')].slice(-2 * MAX_NODES) : []) if (styleOf(el).position === 'fixed') this.textsOf(el, true);
      let n = 0;
      for (const el of elementsOf(this.doc)) {
        if (n++ > 20000) break;
        const shadow = shadowRootOf(el);
        if (shadow) this.observe(shadow);
      }
    }

    changed(records) {
      if (!records.every((record) => this.isOurs(record))) this.last = now();
      for (const record of records.slice(0, MAX_OPEN)) {
        const el = target(record);
        switch (kind(record)) {
          case 'characterData':
            this.wait(parentNode(el));
            break;
          case 'attributes':
            this.textsOf(el, false);
            break;
          default: {
            const nodes = added(record);
            if ([...nodes, ...removed(record)].some((node) => nodeType(node) === 3)) this.wait(el);
            this.take([...removed(record)].filter((node) => nodeType(node) === 1));
            for (const node of [...nodes].slice(0, MAX_NODES)) if (nodeType(node) === 1) this.textsOf(node, true);
            if (nodes.length > MAX_NODES) this.lost = now();
          }
        }
      }
      if (records.length > MAX_OPEN) this.lost = now();
      if (this.open.size) this.wake(LOOK);
    }

    // isOurs recognises the style sheets that Playwright hangs below the root element while it takes a picture.
    isOurs(record) {
      return kind(record) === 'childList' && target(record) === rootElement(this.doc) && [...added(record), ...removed(record)].every((node) => nodeType(node) === 1 && (tagOf(node) === 'style' || tagOf(node).startsWith('x-pw-')));
    }

    take(elements) {
      if (elements.length) this.took = this.last;
      this.taken.push(...elements.slice(0, MAX_TAKEN - this.taken.length));
    }

    wait(el) {
      if (!el || nodeType(el) !== 1 || IGNORED.has(tagOf(el))) return;
      if (this.open.size >= MAX_OPEN && !this.open.has(el)) this.lost = now();
      else this.open.set(el, now() + PATIENCE);
    }

    // textsOf waits for the texts of an element. all: that there are more than are looked at is a loss.
    textsOf(el, all) {
      const walker = Document.prototype.createTreeWalker.call(this.doc, el, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
      let n = 0;
      for (let node = el; node; node = walker.nextNode()) {
        if (nodeType(node) === 1) {
          const shadow = shadowRootOf(node);
          if (shadow) this.observe(shadow), [...allIn(shadow, '*')].slice(0, MAX_NODES).forEach((inner) => this.wait(inner));
          continue;
        }
        if (!nodeValue(node).trim()) continue;
        if (n++ >= MAX_NODES) {
          if (all) this.lost = now();
          return;
        }
        this.wait(parentNode(node));
      }
      if (!n) this.wait(el);
    }

    // look sees what of the changed blocks is painted now.
    look() {
      if (!this.began) this.begin();
      const start = now(), eyes = new sight(this.doc, styleOf), done = new Set();
      this.end(start, eyes, false);
      for (const [el, until] of [...this.open]) {
        if (now() - start > BUDGET) break;
        this.open.delete(el);
        if (!connected(el)) continue;
        let block = el;
        while (flatParent(block) && inlineBox(block) && !matches(block, LIVE)) block = flatParent(block);
        if (done.has(block)) continue;
        done.add(block);
        const text = this.seenOf(block, eyes);
        const last = this.newest.get(block);
        if (!text && last && last.gone === null) {
          last.gone = start;
          this.newest.delete(block);
        }
        if (text) this.note(block, text, start);
        else if (start < until && textContent(block).trim()) this.open.set(el, until);
      }
      if (this.open.size) this.wake(PAUSE);
    }

    // end notes which blocks are gone: with all, each is looked at, else what is no longer in the document.
    end(at, eyes, all) {
      for (const one of this.shown) {
        if (one.gone !== null) continue;
        const text = connected(one.el) && (all || this.open.has(one.el)) ? this.seenOf(one.el, eyes) : connected(one.el) ? one.text : '';
        if (text === one.text) continue;
        one.gone = at;
        one.replaced = text !== '';
        if (this.newest.get(one.el) === one) this.newest.delete(one.el);
      }
    }

    note(el, text, at) {
      const last = this.newest.get(el);
      if (last && last.text === text) return;
      if (last && last.gone === null) (last.gone = at), (last.replaced = true);
      const one = { el, text, place: this.placeOf(el), around: this.placeOf(flatParent(el)), live: this.liveOf(el), first: at, gone: null, replaced: false };
      this.newest.set(el, one);
      this.shown.push(one);
      if (this.shown.length > MAX_SHOWN) this.shown.splice(0, this.shown.length - MAX_SHOWN);
    }

    placeOf(el) {
      if (!el) return 0;
      if (!this.places.has(el)) this.places.set(el, ++this.count);
      return this.places.get(el);
    }

    // seenOf returns what is seen of a block's texts in the window.
    seenOf(block, eyes) {
      const walker = Document.prototype.createTreeWalker.call(this.doc, block, NodeFilter.SHOW_TEXT), range = Document.prototype.createRange.call(this.doc);
      const { innerWidth, innerHeight } = eyes.win;
      let out = '', n = 0;
      for (let node = walker.nextNode(); node && out.length < MAX_LENGTH && n < MAX_NODES; node = walker.nextNode()) {
        const value = nodeValue(node), el = parentNode(node);
        if (!value.trim() || !el || IGNORED.has(tagOf(el)) || !rendered(el)) {
          out += ' ';
          continue;
        }
        n++;
        range.selectNodeContents(node);
        const r = range.getBoundingClientRect();
        if (r.right <= 0 || r.bottom <= 0 || r.left >= innerWidth || r.top >= innerHeight || styleOf(el).visibility !== 'visible' || eyes.ofText(el, r, true)) continue;
        out += inlineBox(el) || el === block ? value : ' ' + value + ' ';
      }
      return out.replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH);
    }

    // liveOf returns how a block announces itself: alert, status, or toast, which is a small box before the page.
    liveOf(block) {
      let toast = false;
      for (let el = block; el && nodeType(el) === 1; el = flatParent(el)) {
        const role = (attr(el, 'role') || '').trim().toLowerCase(), live = (attr(el, 'aria-live') || '').toLowerCase();
        if (role === 'alert' || live === 'assertive') return 'alert';
        if (role === 'status' || role === 'log' || live === 'polite' || tagOf(el) === 'output') return 'status';
        if (NO_TOAST.has(role) || NO_TOAST_TAGS.has(tagOf(el))) return toast ? 'toast' : '';
        const r = Element.prototype.getBoundingClientRect.call(el);
        toast = toast || (styleOf(el).position === 'fixed' && r.width * r.height <= MAX_TOAST * innerWidth * innerHeight);
      }
      return toast ? 'toast' : '';
    }

    // answer tells what was shown, newest first, with their ages in ms.
    answer(css) {
      this.catchUp();
      this.look();
      const at = now();
      this.end(at, new sight(this.doc, styleOf), true);
      const within = (el) => {
        try {
          if (css && allIn(el, css).length) return true;
          for (let e = el; css && e && nodeType(e) === 1; e = flatParent(e)) if (matches(e, css)) return true;
        } catch {} // an extension of Playwright's
        return false;
      };
      const texts = this.shown.slice(-100).reverse().map((one) => ({ t: one.text, l: one.live, a: at - one.first, g: one.gone !== null, w: one.gone === null ? undefined : at - one.gone, r: one.replaced, p: one.place, u: one.around, c: within(one.el) }));
      return { texts, lost: this.lost === -Infinity ? -1 : at - this.lost };
    }
  };
})();

const recorder = typeof document === 'undefined' || !rootElement(document) ? null : new newRecorder(document);

// changed answers how many ms ago the document was changed last.
OPS.changed = () => ({ ago: quietFor() });

// shown answers what was seen since the document was first looked at.
OPS.shown = (doc, scope, { css }) => (recorder ? recorder.answer(css) : { texts: [], lost: 0 });
