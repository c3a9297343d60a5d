// Finding the elements of a line without an index of the whole document. What the index would hold of an element is computed from the element
// and those around it, by the same rules; so only those are looked at closely whose tag or role fits. A page of 40,000 elements is resolved in a
// fraction of the time.

// The lines that quote what stands in their element, run by run, or that are found by style alone: they need the index.
const INDEXED = new Set(['text', 'row', 'clickable', ...CELLS, ...PROSE]);

// A state that is computed on demand, for one document at one moment.
function lazyState(doc) {
  return {
    ...newState(), doc, entries: new Map(),
    display: { has: (el) => isShown(entryOf(el)), get: (el) => (isShown(entryOf(el)) ? entryOf(el).display : undefined) },
    clickable: { add() {}, has: (el) => isShown(entryOf(el)) && entryOf(el).role === 'clickable' && !labelsShownControl(el) && !isInnerPart(entryOf(el).item) },
  };
}

// search lists the elements of a role in reading order, whose items pass a test, within scope or the document. words are those that their lines
// quote; null for any. It returns null where only the index can decide.
function search(doc, scope, role, words, test) {
  if (INDEXED.has(role) || !rootElement(doc)) return null;
  state = lazyState(doc);
  const inTree = scope && nodeType(treeRoot(scope)) === 9;
  const found = [], roots = [];
  let labels;
  const fits = fitting(role, words, () => roots.length > 0 || (labels ??= !!Document.prototype.querySelector.call(doc, 'label')));
  eachIn(inTree ? scope : doc, (el) => {
    if (!fits(el) || el === scope) return;
    const entry = entryOf(el);
    if (isShown(entry) && entry.role === role && (!scope || isWithin(entry, scope)) && test(entry.item)) found.push(el);
  }, roots);
  // Slots change the order, and the index ends after so many nodes.
  if (found.length > 1 && roots.length) return null;
  if (!found.length) return found;
  return nodesUntil(doc, found.at(-1), inTree ? eachIn(doc, () => {}) : roots) > MAX_NODES ? null : found;
}

// searchLine returns the selector of an element that has a line; null where only the index can decide.
function searchLine(doc, el) {
  if (!el || !rootElement(doc)) return null;
  state = lazyState(doc);
  const entry = entryOf(el);
  if (!isShown(entry) || !entry.role || INDEXED.has(entry.role)) return null;
  const key = keyOf(entry.item);
  const same = search(doc, null, entry.role, key, (item) => keyOf(item) === key);
  return same && same.includes(el) ? lineOf(entry.item, same.indexOf(el) + 1, same.length) : null;
}

// eachIn calls a function for the elements below a node, those in open shadow roots among them, and lists these roots.
function eachIn(node, call, roots = []) {
  const within = (shadow) => {
    roots.push(shadow);
    eachIn(shadow, call, roots);
  };
  const owner = { 1: Element, 9: Document, 11: DocumentFragment }[nodeType(node)];
  const own = nodeType(node) === 1 && shadowRootOf(node);
  if (own) within(own);
  for (const el of owner.prototype.querySelectorAll.call(node, '*')) {
    call(el);
    const shadow = shadowRootOf(el);
    if (shadow) within(shadow);
  }
  return roots;
}

// fitting returns a quick test that no element of the role, whose line quotes the words, fails. labels says whether there may be labels.
function fitting(role, words, labels) {
  const cut = words === null || words.endsWith('…'); // of a text that is cut, more may stand there
  return (el) => {
    const tag = tagOf(el);
    if (role === 'frame') return tag === 'iframe' || tag === 'frame';
    if (PLAIN_TAGS[tag] !== role && !(tag in CONDITIONAL_TAGS) && !hasAttr(el, 'role') && !(role === 'textbox' && hasAttr(el, 'contenteditable'))) return false;
    if (roleOf(el) !== role && role !== 'textbox') return false;
    return cut || !NAMED_BY_CONTENT.has(role) || !SAYS_ITS_TEXT.has(tag) || saysIts(el, words, () => tag === 'button' && labels());
  };
}

// The tags that HTML gives no name but their content.
const SAYS_ITS_TEXT = new Set(['a', 'button', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'span']);

// saysIts reports whether words can be the name of an element that is named by its content: its first text is a part of its name, unless
// something else names it.
function saysIts(el, words, labels) {
  const first = firstChild(el);
  if (!first || nodeType(first) !== 3) return true;
  const text = nodeValue(first);
  if (words.includes(TIDY_ALREADY.test(text) ? text : bare(text))) return true;
  return !isHTML(el) || !!shadowRootOf(el) || hasAttr(el, 'aria-label') || hasAttr(el, 'aria-labelledby') || (labels() && labelsOf(el).length > 0);
}

const TIDY_ALREADY = /^[!-~]+(?: [!-~]+)*$/; // nothing to tidy

// nodesUntil counts the nodes that a walk can have visited when it leaves an element; those of shadow roots count from the beginning.
function nodesUntil(doc, last, roots) {
  let n = 0;
  for (const root of roots) n += countNodes(doc, root, null);
  return n + countNodes(doc, rootElement(doc), roots.length ? null : last) + 1;
}

function countNodes(doc, root, last) {
  const walker = Document.prototype.createTreeWalker.call(doc, root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  let n = 0, passed = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node === last) passed = true;
    else if (passed && !Node.prototype.contains.call(last, node)) return n;
    n++;
  }
  return n;
}

// entryOf returns what a walk would know of an element when it had entered it; null where it would not come there.
function entryOf(el) {
  const path = [], root = rootElement(state.doc);
  let node = el;
  while (node && !state.entries.has(node)) {
    path.push(node);
    node = node === root ? null : walkParent(node);
  }
  let above = node ? state.entries.get(node) : null;
  while (path.length) {
    node = path.pop();
    above = node === root || above ? enterBelow(node, above) : null;
    state.entries.set(node, above);
  }
  return above;
}

function enterBelow(el, above) {
  const tag = tagOf(el), depth = above ? above.depth + 1 : 0;
  if (depth > MAX_DEPTH || (above && (isOpaque(above.tag, above.visible) || (isClosed(above.el, above.tag) && tag !== 'summary')))) return null;
  const at = above ? surroundingsIn(above) : atRoot(el);
  const entered = skips(tag, at) ? null : enter(el, tag, at);
  if (!entered) return null;
  const role = entered.visible ? lineRole(el, tag, entered.style, at) : null;
  return { ...entered, el, tag, depth, at, above, role, item: role && newItem(el, role, at) };
}

const surroundingsIn = (entry) => (entry.inner ??= surroundings(entry.el, entry.tag, entry.item, entry.at, entry.display, entry.style));

// walkParent returns the element from which a walk comes to another: its slot, its host or its parent; null where it is not drawn.
function walkParent(el) {
  const slot = assignedSlot(el);
  if (slot) return slot;
  const parent = parentNode(el);
  if (!parent || nodeType(parent) === 9) return null;
  if (nodeType(parent) !== 1) {
    const host = parentOf(el);
    return host && shadowRootOf(host) === parent ? host : null;
  }
  if (shadowRootOf(parent) || (tagOf(parent) === 'slot' && isHTML(parent) && assignedNodes(parent).length)) return null;
  return parent;
}

// isShown reports whether an element is visible; one without a box is where something visible is in it.
const isShown = (entry) => !!entry && entry.visible && (entry.display !== 'contents' || entry.tag === 'slot' || draws(entry));

function draws(entry) {
  entry.draws ??= !isOpaque(entry.tag, entry.visible) && flatChildren(entry.el).some((child) => {
    if (nodeType(child) === 3) {
      return entry.visible && !isClosed(entry.el, entry.tag) && !skipsText(entry.style) && !surroundingsIn(entry).select && /\S/.test(nodeValue(child));
    }
    const inner = entryOf(child);
    return !!inner && ((inner.visible && inner.display !== 'contents') || draws(inner));
  });
  return entry.draws;
}

function isWithin(entry, scope) {
  for (let up = entry.above; up; up = up.above) if (up.el === scope) return true;
  return false;
}
