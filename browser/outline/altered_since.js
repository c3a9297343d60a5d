// What was altered on a page since the newest acts, so that it can be told whether a selector would have found an element before them, by its class, an
// attribute or a state.

const MAX_ALTERED_ROOTS = 300; // documents and shadow roots

// rootsWithin lists a document, its open shadow roots, and the same in its frames of the same origin.
function rootsWithin(doc) {
  const roots = [doc];
  for (let i = 0; i < roots.length && roots.length < MAX_ALTERED_ROOTS; i++) {
    for (const el of allIn(roots[i], '*')) {
      const inner = shadowRootOf(el) || innerDocument(el);
      if (inner) roots.push(inner);
    }
  }
  return roots;
}

const newAlterations = (() => {
  const targetOf = getter(MutationRecord.prototype, 'target');
  const kindOf = getter(MutationRecord.prototype, 'type');
  const nameIn = getter(MutationRecord.prototype, 'attributeName');
  const valueBefore = getter(MutationRecord.prototype, 'oldValue');
  const nodesAdded = getter(MutationRecord.prototype, 'addedNodes');
  const put = (el, name, value) => (value === null ? Element.prototype.removeAttribute : Element.prototype.setAttribute).call(el, name, value);

  // What says how an element is called.
  const NAMING = new Set(['aria-label', 'aria-labelledby', 'aria-hidden', 'alt', 'title', 'placeholder', 'value', 'label', 'role', 'type', 'hidden', 'for']);

  // Selectors whose answer hangs on more than the element and those around it: siblings, places among them, and states that nobody keeps.
  const plainCSS = (css) => css.replace(/\\./g, 'x').replace(/"[^"]*"|'[^']*'/g, '""').replace(/\[[^\]]*\]/g, '');
  const KNOWN = /:(?:not|is|where)\(|:(?:checked|disabled|enabled|required|optional|visible)\b/g;
  const hangsOnMore = (css) => /[+~:&]/.test(plainCSS(css).replace(KNOWN, '('));

  return class {
    constructor(roots) {
      this.roots = new WeakSet(roots);
      this.attributes = new WeakMap(); // element → its altered attributes, with what they were
      this.inner = new WeakSet(); // elements in which a word or an element was altered
      this.placed = new WeakSet(); // elements that came, or were moved
      this.checked = new WeakMap(); // box → whether it was on, and whether neither
      this.observer = new MutationObserver((records) => this.note(records));
      for (const root of roots) {
        this.observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true });
        for (const box of allIn(root, 'input[type=checkbox i], input[type=radio i]')) this.checked.set(box, this.stateOf(box));
      }
    }

    end() {
      this.observer.disconnect();
    }

    stateOf(box) {
      return own(box, 'checked') + ' ' + own(box, 'indeterminate');
    }

    catchUp() {
      this.note(MutationObserver.prototype.takeRecords.call(this.observer));
    }

    note(records) {
      for (const record of records) {
        const target = targetOf(record);
        if (kindOf(record) === 'attributes') this.noteAttribute(target, nameIn(record), valueBefore(record));
        else this.noteInner(nodeType(target) === 1 ? target : parentOf(target));
        for (const node of nodesAdded(record)) if (nodeType(node) === 1) this.placed.add(node);
      }
    }

    noteAttribute(el, name, before) {
      if (!this.attributes.has(el)) this.attributes.set(el, new Map());
      const altered = this.attributes.get(el);
      if (!altered.has(name)) altered.set(name, before);
      if (NAMING.has(name)) this.noteInner(el);
    }

    noteInner(el) {
      for (let at = el; at && !this.inner.has(at); at = parentOf(at)) this.inner.add(at);
    }

    // has reports whether an element stood in the page already, where it is now.
    has(el) {
      for (let at = el; at; at = parentOf(at)) if (this.placed.has(at)) return false;
      return this.roots.has(treeRoot(el));
    }

    // kept reports whether attributes of an element are what they were.
    kept(el, names) {
      const altered = this.attributes.get(el);
      return !altered || names.every((name) => !altered.has(name) || altered.get(name) === attr(el, name));
    }

    // keptAround reports the same of an element and all around it.
    keptAround(el, names) {
      for (let at = el; at; at = parentOf(at)) if (!this.kept(at, names)) return false;
      return true;
    }

    // found reports whether a selector found an element already that it finds now: by CSS, or, without it, by its words.
    found(el, css) {
      if (!this.has(el)) return false;
      if (!css) return [el, ...labelsOf(el), ...idRefs(el, 'aria-labelledby')].every((part) => !this.inner.has(part));
      if (hangsOnMore(css)) return false;
      try {
        return matches(this.copy(el), css.replace(/:visible\b/g, ''));
      } catch {
        return false; // an extension of Playwright's
      }
    }

    // copy returns an element, with those around it, as they were: in a document that loads and runs nothing.
    copy(el) {
      const inert = document.implementation.createHTMLDocument('');
      let out = null, inside = null;
      for (let at = el; at && nodeType(at) === 1; at = parentNode(at)) {
        const one = Document.prototype.importNode.call(inert, at, false);
        for (const [name, before] of this.attributes.get(at) || []) put(one, name, before);
        if (this.checked.has(at)) one.checked = this.checked.get(at).startsWith('true');
        if (inside) Node.prototype.appendChild.call(one, inside);
        out ||= one;
        inside = one;
      }
      return out;
    }

    // stateKept reports whether a control has the state that it had.
    stateKept(el) {
      const around = parentOf(el);
      if (this.checked.has(el) && this.checked.get(el) !== this.stateOf(el)) return false;
      return this.kept(el, ['aria-checked', 'aria-pressed', 'aria-expanded', 'aria-selected', 'open', 'role', 'type']) && (!around || this.kept(around, ['open']));
    }

    // classesKept reports whether an element has the classes that it had.
    classesKept(el) {
      return this.kept(el, ['class']);
    }

    // useKept reports whether nothing was altered that decides whether a control can be used or written to.
    useKept(el) {
      return this.keptAround(el, ['disabled', 'aria-disabled', 'inert', 'readonly', 'aria-readonly', 'contenteditable', 'hidden']);
    }
  };
})();
