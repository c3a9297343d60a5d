// The ways to find an element again: locators of which each leads to it alone, the steadiest first. What people know it by comes before what its authors
// call it, and that before its place.

// The roles whose words distinguish what is equal in itself: the "Delete" of one row from that of another.
const HOLDERS = new Set(['row', 'listitem', 'article', 'group', 'region', 'form', 'dialog', 'alertdialog', 'radiogroup', 'tabpanel', 'navigation',
  'search', 'toolbar', 'menu', 'figure', 'table', 'grid', 'treeitem']);
const LABELLED = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea']);
const MAX_SCANNED = 8000; // elements beyond which nothing is looked for by its text
const LANDMARKS = new Set(['main', 'navigation', 'banner', 'contentinfo', 'complementary', 'region', 'form', 'search', 'dialog', 'alertdialog']);

// The attributes by which an element is found as the only one that has them, with tags of which they tell something; null: of all.
const TELLING_ATTRIBUTES = { __proto__: null, placeholder: null, alt: null, title: null, 'data-testid': null, id: null,
  name: new Set(['input', 'select', 'textarea', 'button']), href: new Set(['a', 'area']) };

// looksRandom recognises ids and classes that a program makes anew each time.
function looksRandom(id) {
  if (/^:r[0-9a-z]+:?$|^«|^(?:ember|radix-|react-aria|mui-|headlessui-|mat-|cdk-|yui_|ext-gen|gwt-uid|select2-|downshift-|rc_|svelte-|css-|sc-|jsx-)[\w-:]*\d|\d{4,}|^\d+$/.test(id)) return true;
  return id.split(/[-_:.]/).some((part) => {
    if (/^[0-9a-f]{6,}$/i.test(part) && /\d/.test(part) && /[a-f]/i.test(part)) return true;
    return part.length >= 5 && (part.match(/[a-z](?=\d)|\d(?=[a-z])/gi) || []).length >= 3;
  });
}

// attributeKey returns a CSS selector of an element by one of its attributes; '' where that tells nothing.
function attributeKey(el, name) {
  const value = attr(el, name), tags = TELLING_ATTRIBUTES[name];
  if (!value || (tags && !tags.has(tagOf(el))) || !isPlain(value)) return '';
  return (tags ? tagOf(el) : '') + '[' + name + '=' + quoted(value) + ']';
}

// tallies counts once what makes an element the only one of its kind.
function tallies(doc) {
  const all = everything(doc), counts = new Map(), small = all.length <= MAX_SCANNED;
  const count = (key) => key && counts.set(key, (counts.get(key) || 0) + 1);
  for (const el of all) {
    for (const name in TELLING_ATTRIBUTES) if (hasAttr(el, name)) count(attributeKey(el, name));
    if (small) for (const label of new Set(labelTexts(el))) count('label ' + label);
  }
  let texts;
  return { all, only: (key) => counts.get(key) === 1, text: (words) => (texts ??= small ? innermostTexts(all) : new Map()).get(words) };
}

// innermostTexts maps each text to the one element that has it and holds no other with it; to null where several do.
function innermostTexts(all) {
  const shown = new Map(), out = new Map();
  const textOf = (el) => {
    if (!shown.has(el)) shown.set(el, shownText(el));
    return shown.get(el);
  };
  for (const el of all) {
    const text = textOf(el);
    if (!text || text.length > NAME_MAX) continue;
    let inner = firstElement(el);
    while (inner && textOf(inner) !== text) inner = nextElement(inner);
    if (!inner) out.set(text, out.has(text) ? null : el);
  }
  return out;
}

// isPlain reports whether a text can be written in a locator without meaning something else.
const isPlain = (value) => !/["\\\n`]|>>/.test(value) && value.trim() === value && !/^(['"]).*\1$/s.test(value);

// locatorsOf lists the locators of an element, in the grammar of snapshots. item is its line; null without one.
function locatorsOf(el, item, t) {
  const out = [], add = (locator) => out.includes(locator) || out.push(locator);
  const alone = item && keyOf(item) && sameLines(item).size === 1, holder = item && (holderOf(item) || holderOf(item, (at) => LANDMARKS.has(at.role)));
  if (alone) add(selectorOf(item));
  if (holder) add(selectorOf(holder) + ' >> ' + item.role + ' ' + quoted(shownQuote(item)));
  for (const label of labelTexts(el)) if (label && isPlain(label) && t.only('label ' + label)) add('label="' + label + '"');
  for (const name of ['placeholder', 'alt', 'title']) if (t.only(attributeKey(el, name))) add('css=' + attributeKey(el, name));
  if (t.only(attributeKey(el, 'data-testid'))) add('testid=' + attr(el, 'data-testid'));
  const text = ['select', 'textarea'].includes(tagOf(el)) || secretField(el) ? '' : shownText(el);
  if (text && isPlain(text) && t.text(text) === el) add('text="' + text + '"');
  const id = attr(el, 'id');
  if (id && t.only(attributeKey(el, 'id')) && !looksRandom(id)) add('css=#' + CSS.escape(id));
  for (const name of ['name', 'href']) if (t.only(attributeKey(el, name))) add('css=' + attributeKey(el, name));
  if (item && !alone) add(selectorOf(item));
  if (!item) for (const css of classesOf(el)) if (allIn(treeRoot(el), css).length === 1) add('css=' + css);
  add('css=' + steadyPath(el, t));
  return out;
}

// classesOf lists the selectors of an element by one of its classes, without those that a program makes.
const classesOf = (el) => [...new Set((attr(el, 'class') || '').split(/\s+/))].filter((c) => c && !looksRandom(c)).map((c) => tagOf(el) + '.' + CSS.escape(c));

// steadyPath returns a CSS path that needs no random id.
function steadyPath(el, t) {
  const steps = [];
  for (let node = el; node; ) {
    const id = attr(node, 'id');
    if (id && t.only(attributeKey(node, 'id')) && !looksRandom(id)) {
      steps.unshift('#' + CSS.escape(id));
      break;
    }
    steps.unshift(stepOf(node));
    const parent = parentNode(node);
    if (!parent || nodeType(parent) === 9) break;
    if (nodeType(parent) === 11) return steadyPath(hostOf(parent), t) + ' >> ' + steps.join(' > ');
    node = parent;
  }
  return steps.join(' > ');
}

// holderOf returns the nearest item around one of several that are alike which tells them apart and holds no other of them; null where none does, and
// where the item is the only one of its kind. tells says which items count; without it those that have words of their own.
function holderOf(item, tells = (at) => HOLDERS.has(at.role) && keyOf(at)) {
  if (!keyOf(item) || sameLines(item).size < 2) return null;
  for (let at = item.parent; at; at = at.parent) {
    if (!at.gone && tells(at)) return likeHeld(item).get(at) === 1 && sameLines(at).size === 1 ? at : null;
  }
  return null;
}

const MAX_SAID = 200;
const said = (s) => tidy(s).slice(0, MAX_SAID);

// sections returns what tells the part of the page that an element stands in: the last heading before it in the innermost part that has one, or that part's
// own name. The page's first heading and its main part are no parts.
function sections() {
  const isFirst = (el) => tagOf(el) === 'h1' || attr(el, 'aria-level') === '1';
  const heads = state.items.filter((item) => !item.gone && item.role === 'heading' && !isFirst(item.el)).map((item) => item.el);
  const before = (head, el) => Node.prototype.compareDocumentPosition.call(head, el) & Node.DOCUMENT_POSITION_FOLLOWING && !contains(head, el);
  return (el) => {
    const above = heads.filter((head) => before(head, el)).reverse();
    for (let up = parentOf(el); up; up = parentOf(up)) {
      const role = roleOf(up);
      if (parentOf(up) && role !== 'group' && role !== 'tabpanel' && role !== 'article' && !LANDMARKS.has(role)) continue;
      const head = above.find((one) => contains(up, one)), name = head ? textContent(head) : role === 'main' || !parentOf(up) ? '' : nameOf(up);
      if (said(name)) return said(name);
    }
    return '';
  };
}

// standsAt tells where an element stands that is like others: the line of what holds it and tells them apart, or the heading above it.
function standsAt(el) {
  const item = state.items.find((one) => one.el === el && !one.gone && one.role !== 'text'), holder = item && holderOf(item);
  if (holder) return 'in ' + selectorOf(holder);
  const section = sections()(el);
  return section ? 'under ' + quoted(section) : '';
}

// likeHeld counts for each item how many it holds of those that are like another one.
function likeHeld(item) {
  const same = sameLines(item);
  state.held ??= new Map();
  if (!state.held.has(same)) {
    const held = new Map();
    for (const other of state.items) {
      if (other.role !== item.role || other.gone || keyOf(other) !== keyOf(item)) continue;
      for (let at = other; at; at = at.parent) held.set(at, (held.get(at) || 0) + 1);
    }
    state.held.set(same, held);
  }
  return state.held.get(same);
}

// everything lists all elements of a document, those in open shadow roots among them.
function everything(doc) {
  const out = [];
  const inRoot = (root) => {
    for (const el of elementsOf(root)) {
      out.push(el);
      const shadow = shadowRootOf(el);
      if (shadow) inRoot(shadow);
    }
  };
  if (rootElement(doc)) inRoot(doc);
  return out;
}

const oneSpaced = (s) => s.replace(/\u200b|\u00ad/g, '').replace(/\s+/g, ' ').trim();
const shownText = (el) => (HIDDEN_TEXT.has(tagOf(el)) ? '' : oneSpaced(textContent(el)));

// labelTexts returns the labels of an element as Playwright's label= reads them.
function labelTexts(el) {
  const by = idRefs(el, 'aria-labelledby');
  if (by.length) return by.map((e) => oneSpaced(textContent(e)));
  const said = attr(el, 'aria-label');
  if (said !== null && said.trim()) return [oneSpaced(said)];
  if (!LABELLED.has(tagOf(el)) || inputType(el) === 'hidden') return [];
  return labelsOf(el).map((e) => oneSpaced(textContent(e)));
}

// cssPath finds an element that has no line: by id where it has a unique one, or else by position.
function cssPath(el) {
  const steps = [];
  for (let node = el; node; ) {
    const root = treeRoot(node);
    const id = attr(node, 'id');
    if (id && allIn(root, '#' + CSS.escape(id)).length === 1) {
      steps.unshift('#' + CSS.escape(id));
      break;
    }
    steps.unshift(stepOf(node));
    const parent = parentNode(node);
    if (!parent || nodeType(parent) === 9) break;
    if (nodeType(parent) === 11) return cssPath(hostOf(parent)) + ' >> ' + steps.join(' > ');
    node = parent;
  }
  return steps.join(' > ');
}

function allIn(root, css) {
  const owner = { 1: Element, 9: Document, 11: DocumentFragment }[nodeType(root)];
  return owner.prototype.querySelectorAll.call(root, css);
}

function stepOf(el) {
  const tag = localName(el);
  let position = 1, alone = true;
  for (let e = prevElement(el); e; e = prevElement(e)) if (localName(e) === tag) position++;
  for (let e = nextElement(el); e && alone; e = nextElement(e)) if (localName(e) === tag) alone = false;
  return CSS.escape(tag) + (position === 1 && alone ? '' : ':nth-of-type(' + position + ')');
}
