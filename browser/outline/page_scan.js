// One scan of a document for an explorer: the tree of what is drawn, the elements that can be worked with the ways to find them again, and the
// forms with their constraints.

const NO_NAME = new Set(['row', 'cell', 'gridcell', 'paragraph', 'listitem', 'blockquote', 'definition', 'list', 'table', 'rowgroup', 'group', 'generic']);
const TELLING = new Set(['heading', 'alert', 'status', 'dialog', 'alertdialog', 'table', 'tabpanel']);
const MAX_SCAN_NODES = 6000, MAX_SKELETON = 4000, MAX_SCAN_NAME = 160, MAX_SCAN_OPTIONS = 50, MAX_LINKS = 500, MAX_NAMED = 80;
const ROLELESS_SHARE = 0.3; // of the leaves; beyond it the outline does not tell pages apart

function xpathOf(el) {
  const steps = [];
  for (let node = el; node && nodeType(node) === 1; node = parentNode(node)) {
    const tag = localName(node);
    let position = 1, alone = true;
    for (let e = prevElement(node); e; e = prevElement(e)) if (localName(e) === tag) position++;
    for (let e = nextElement(node); e && alone; e = nextElement(e)) if (localName(e) === tag) alone = false;
    steps.unshift(tag + (position === 1 && alone ? '' : '[' + position + ']'));
    const parent = parentNode(node);
    if (parent && nodeType(parent) === 11) return ''; // XPath leads into no shadow root
  }
  return '/' + steps.join('/');
}

// stateMarks lists what a person sees of a control's state, without its value.
function stateMarks(item) {
  if (item.role === 'text') return '';
  const { el, role } = item, aria = (name) => (attr(el, 'aria-' + name) || '').toLowerCase(), marks = [];
  if (CHECKED.has(role)) marks.push(checkedMark(el, aria));
  if (SELECTED.has(role) && (own(el, 'selected') || aria('selected') === 'true')) marks.push('selected');
  if (aria('pressed') === 'true') marks.push('pressed');
  marks.push(expandedMark(el, aria));
  if (aria('current') && aria('current') !== 'false') marks.push('current');
  if (disabled(item)) marks.push('disabled');
  if (aria('invalid') && aria('invalid') !== 'false') marks.push('invalid');
  return marks.filter(Boolean).join(' ');
}

// inside reports whether an element, or one around it, fits a CSS selector; shadow roots are climbed out of.
function inside(el, css) {
  for (let node = el; node; ) {
    if (Element.prototype.closest.call(node, css)) return true;
    const root = treeRoot(node);
    node = nodeType(root) === 11 ? parentOf(root) || hostOf(root) : null;
  }
  return false;
}

// opensList reports whether a control other than a select element opens a list of options, by ARIA's roles and states: a combobox opens one where
// it says nothing else.
function opensList(el, role) {
  if (tagOf(el) === 'select' || hasAttr(el, 'list')) return false;
  const popup = (attr(el, 'aria-haspopup') || '').toLowerCase();
  return role === 'combobox' ? ['', 'true', 'listbox'].includes(popup) : role === 'button' && popup === 'listbox';
}

// formAround returns the form around an element, out of shadow roots too.
function formAround(el) {
  let node = el;
  while (node && tagOf(node) !== 'form') node = parentOf(node);
  return node;
}

function fieldOf(el, role) {
  const tag = tagOf(el);
  const edits = tag !== 'input' && tag !== 'textarea' && tag !== 'select' && (role === 'textbox' || role === 'searchbox') && hasAttr(el, 'contenteditable');
  const opens = opensList(el, role);
  if (!['input', 'textarea', 'select'].includes(tag) && !edits && !opens) return undefined;
  if (['submit', 'button', 'image', 'reset'].includes(inputType(el)) && tag === 'input') return undefined;
  const at = (name) => attr(el, name) || '', held = String((edits || (opens && tag !== 'input' && tag !== 'textarea') ? textContent(el) : own(el, 'value')) || '');
  const out = { name: at('name'), autocomplete: at('autocomplete'), inputMode: at('inputmode'), pattern: at('pattern'), min: at('min'), max: at('max'), step: at('step'),
    minLength: Number(at('minlength')) || 0, maxLength: Number(at('maxlength')) || 0, required: !!own(el, 'required') || at('aria-required') === 'true', readOnly: !!own(el, 'readOnly'),
    label: cut([...labelTexts(el), at('placeholder'), at('title')].find(Boolean) || '', MAX_SCAN_NAME), multiple: !!own(el, 'multiple'), secret: secretField(el),
    checked: !!own(el, 'checked'), filled: !!held, message: own(el, 'validationMessage') || '', editable: edits, opens };
  if (!out.secret) out.value = cut(held, MAX_SCAN_NAME);
  if (tag === 'select') out.options = [...own(el, 'options')].filter((o) => !own(o, 'disabled')).slice(0, MAX_SCAN_OPTIONS).map((o) => ({ label: tidy(own(o, 'label') || ''), value: own(o, 'value') || '' }));
  return out;
}

const landmarkOf = (item) => {
  for (let at = item.parent; at; at = at.parent) if (LANDMARKS.has(at.role) && !at.gone) return at;
  return null;
};

// modalOf returns the dialog that keeps people from the rest of a document; undefined without one.
function modalOf(items) {
  const modal = items.filter((i) => (i.role === 'dialog' || i.role === 'alertdialog') && (matches(i.el, ':modal') || (attr(i.el, 'aria-modal') || '').toLowerCase() === 'true'));
  return modal.length ? modal.at(-1).el : undefined;
}

// liesUnderLayer reports whether a click on an element would meet another layer, such as a drawer or a list that is open, and scrolling would not
// help. A field is given its value without a click: only what stays in its place over the page keeps people from it.
function liesUnderLayer(el, field) {
  const r = boxOf(workedAt(el)), view = windowOf(ownerDocument(el)), x = r.left + r.width / 2, y = r.top + r.height / 2;
  if (!(r.width > 0 && r.height > 0)) return false;
  const inView = x >= 0 && y >= 0 && x < view.innerWidth && y < view.innerHeight; // what is not meets, once it is, what stays over the whole page
  const met = inView ? topmostAt(ownerDocument(el), x, y) : topmostAt(ownerDocument(el), view.innerWidth / 2, view.innerHeight / 2);
  if (!met || belongs(met, el) || contains(met, el)) return false;
  let layer = met, stays = null;
  for (; layer && !contains(layer, el); layer = flatParent(layer)) if (/fixed|sticky/.test(styleNow(layer).position)) stays = layer;
  if (!stays) return inView && !field;
  const box = boxOf(stays), whole = box.top <= 0 && box.bottom >= view.innerHeight, bar = !whole && (box.top <= 0 || box.bottom >= view.innerHeight);
  return inView ? !bar || !isScrolled(el) : whole && box.left <= 0 && box.right >= view.innerWidth;
}

// isScrolled reports whether a box around an element, or the page, can be scrolled up or down.
function isScrolled(el) {
  for (let node = flatParent(el); node; node = flatParent(node)) {
    if (scrollHeightOf(node) > clientHeightOf(node) + 1 && (node === rootElement(ownerDocument(el)) || /auto|scroll/.test(styleNow(node).overflowY))) return true;
  }
  return false;
}

// shutAway returns a question: whether an element stands in a box that is closed to nothing, such as a menu that opens by its height.
function shutAway() {
  const known = new Map();
  const shut = (el) => clippers(el, false).boxes.some(({ box, style }) => !/auto|scroll/.test(style.overflowX + style.overflowY) && (clientHeightOf(box) < 2 || clientWidthOf(box) < 2));
  return (el) => {
    const around = flatParent(el);
    if (!/static|relative/.test(styleNow(el).position)) return shut(el);
    if (!known.has(around)) known.set(around, shut(el));
    return known.get(around);
  };
}

function recordOf(el, item, t, forms) {
  const role = item ? item.role : roleOf(el) || '';
  const path = steadyPath(el, t), box = boxOf(el), view = el.ownerDocument.defaultView;
  const id = attr(el, 'id') || '', landmark = item && landmarkOf(item);
  const classes = (attr(el, 'class') || '').split(/\s+/).filter((c) => c && !looksRandom(c)), field = fieldOf(el, role);
  const record = { tag: tagOf(el), role, text: cut(tidy(textContent(el)), MAX_SCAN_NAME), selector: path, id, className: attr(el, 'class') || '', classes: classes.slice(0, 4).join(' '), ariaLabel: attr(el, 'aria-label') || '',
    name: item ? shownQuote(item) : '', landmark: landmark ? selectorOf(landmark) : '', isVisible: !!item || rendered(el), xpath: xpathOf(el), locators: locatorsOf(el, item, t),
    disabled: !!item && disabled(item), behind: (!!t.modal && !contains(t.modal, el)) || liesUnderLayer(el, !!field) };
  if (box.x + view.scrollX + box.width <= 0 || box.y + view.scrollY + box.height <= 0) record.isVisible = false; // it lies beyond the edge, until it has the focus
  if (t.shut(el)) record.isVisible = false;
  if (record.isVisible) record.boundingBox = { x: Math.round(box.x + view.scrollX), y: Math.round(box.y + view.scrollY), width: Math.round(box.width), height: Math.round(box.height) };
  const type = inputType(el) || attr(el, 'type') || '';
  if (type && ['input', 'button'].includes(record.tag)) record.type = type;
  const href = attr(el, 'href');
  if (href !== null && ['a', 'area'].includes(record.tag)) {
    record.href = absolute(href, el);
    record.hrefSet = href;
    record.target = attr(el, 'target') || '';
    record.download = hasAttr(el, 'download');
  }
  if (secretField(el)) record.text = '';
  if (field) record.field = field;
  const form = field && field.opens && !own(el, 'form') ? formAround(el) : own(el, 'form');
  if (form) record.form = formIndex(form, forms);
  if (isSubmit(el)) record.submit = true;
  return record;
}

// formIndex returns the number of a form, from 1.
function formIndex(form, forms) {
  let at = forms.findIndex((f) => f.el === form);
  if (at < 0) {
    at = forms.push({ el: form }) - 1;
  }
  return at + 1;
}

const formsOut = (forms) => forms.map(({ el }) => ({
  name: attr(el, 'aria-label') || attr(el, 'name') || (looksRandom(attr(el, 'id') || '') ? '' : attr(el, 'id')) || '', method: (attr(el, 'method') || '').toUpperCase(), action: absolute(attr(el, 'action') || '', el), declared: hasAttr(el, 'action'),
  search: (attr(el, 'role') || '') === 'search', noValidate: hasAttr(el, 'novalidate'),
}));

// skeletonOf lists tag, type and classes of what is drawn, for a page whose outline says little.
function skeletonOf() {
  const depths = new Map(), out = [];
  for (const el of state.display.keys()) {
    const above = depths.get(flatParent(el));
    const depth = above === undefined ? 0 : above + 1;
    depths.set(el, depth);
    if (out.length >= MAX_SKELETON) break;
    const classes = (attr(el, 'class') || '').split(/\s+/).filter((c) => c && !looksRandom(c)).map((c) => c.replace(/\d+/g, '#')).sort().slice(0, 6);
    out.push({ d: depth, t: tagOf(el) + (inputType(el) ? ':' + inputType(el) : '') + (classes.length ? '.' + classes.join('.') : '') });
  }
  return out;
}

function rolelessShare(items) {
  let leaves = 0, without = 0;
  for (const item of items) {
    if (item.role !== 'text' && !WORKED.has(item.role)) continue;
    leaves++;
    const holder = item.parent;
    if (item.role === 'clickable' || (item.role === 'text' && (!holder || LANDMARKS.has(holder.role)))) without++;
  }
  return leaves ? without / leaves : 1;
}

// elementAt returns the element at a path of positions among the elements of their parents; s is the shadow root.
function elementAt(doc, path) {
  let at = doc;
  for (const step of path.split('.').slice(1)) {
    at = step === 's' ? shadowRootOf(at) : childrenOf(at).filter((n) => nodeType(n) === 1)[Number(step)];
    if (!at) return null;
  }
  return nodeType(at) === 1 ? at : null;
}

// records answers the records of elements at paths that a person sees, each with its text as its name where it has none.
OPS.records = (doc, scope, { names }) => withRules(() => {
  index(doc, null);
  const t = { ...tallies(doc), shut: shutAway() }, elements = [];
  t.modal = modalOf(state.items.filter((item) => !item.gone));
  for (const path of names) {
    const el = elementAt(doc, path);
    if (!el || !rendered(el)) continue;
    const record = recordOf(el, state.items.find((item) => item.el === el && !item.gone && item.role !== 'text') || null, t, []);
    if (!record.isVisible || record.disabled || record.behind) continue;
    record.name = record.name || cut(record.text, MAX_NAMED);
    elements.push(record);
  }
  return { elements };
});

// unseenLinks lists the links of a document that nobody sees at this moment, such as those of a menu that is closed.
function unseenLinks(all, seen, skip) {
  const out = [], known = new Set();
  for (const el of all) {
    if (out.length >= MAX_LINKS) break;
    if (!['a', 'area'].includes(localName(el)) || !hasAttr(el, 'href') || hasAttr(el, 'download') || seen(el) || skip(el)) continue;
    const href = absolute(attr(el, 'href'), el);
    if (!href.startsWith('http') || known.has(href)) continue;
    known.add(href);
    out.push({ href, text: cut(tidy(textContent(el)) || attr(el, 'aria-label') || attr(el, 'title') || '', MAX_SCAN_NAME) });
  }
  return out;
}

// wrapsControl reports whether a plain element with a hand cursor and no words is the host of a control, such as that of a component: who
// clicks on it meets the control.
function wrapsControl(item) {
  if (item.role !== 'clickable' || !handAlone(item.el) || keyOf(item)) return false;
  const box = boxOf(item.el), x = box.x + box.width / 2, y = box.y + box.height / 2;
  const meets = (kid) => !kid.gone && ((CONTROLS_BY_ROLE.has(kid.role) && kid.role !== 'clickable' && holdsPoint(boxOf(kid.el), x, y)) || kid.kids.some(meets));
  return item.kids.some(meets);
}

const holdsPoint = (box, x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

OPS.scan = (doc, scope, { scan: o, within }) => withRules(() => {
  index(doc, null);
  const omit = (o.omit || []).join(','), listed = (o.elements || []).join(','), notable = (o.notable || []).join(',');
  const t = { ...tallies(doc), shut: shutAway() }, forms = [], elements = [], numbers = new Map(), nodes = [];
  const items = state.items.filter((item) => !item.gone && !(omit && item.el && inside(item.el, omit)) && !(item.el && t.shut(item.el)));
  t.modal = modalOf(items);
  let more = 0;
  const record = (el, item) => {
    if (numbers.has(el)) return numbers.get(el);
    if (elements.length >= o.max) {
      more++;
      return undefined;
    }
    numbers.set(el, elements.length);
    elements.push(recordOf(el, item, t, forms));
    return elements.length - 1;
  };
  const depths = new Map();
  for (const item of items) {
    const depth = item.parent && depths.has(item.parent) ? depths.get(item.parent) + 1 : 0;
    depths.set(item, depth);
    if (nodes.length >= MAX_SCAN_NODES) {
      state.capped = true;
      break;
    }
    const name = NO_NAME.has(item.role) ? (named(item.el) ? shownQuote(item) : '') : shownQuote(item);
    const node = { d: depth, r: item.role, n: cut(name, MAX_SCAN_NAME) };
    const marks = stateMarks(item);
    if (marks) node.s = marks;
    if (HAS_VALUE.has(item.role) && !secretField(item.el)) node.v = cut(valueOf(item), 60);
    const works = item.role !== 'text' && (listed ? matches(item.el, listed) : !wrapsControl(item) && ((WORKED.has(item.role) && !(item.role === 'option' && tagOf(item.el) === 'option')) || item.active));
    if (works) node.e = record(item.el, item);
    if (notable && item.role !== 'text' && matches(item.el, notable)) node.k = 1;
    if (node.k || item.role === 'frame' || LANDMARKS.has(item.role)) node.l = selectorOf(item);
    if (node.k || TELLING.has(item.role)) {
      node.c = steadyPath(item.el, t);
      node.t = tagOf(item.el);
    }
    nodes.push(node);
  }
  const shown = new Set(items.map((item) => item.el));
  if (listed || o.invisible) {
    for (const el of t.all) {
      if (shown.has(el) || !matches(el, listed || 'a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=link]') || (omit && inside(el, omit))) continue;
      if (o.invisible || rendered(el)) record(el, null);
    }
  }
  const share = rolelessShare(items);
  const visible = (el) => (numbers.has(el) ? elements[numbers.get(el)].isVisible : shown.has(el));
  const links = unseenLinks(t.all, visible, (el) => !!(listed && !matches(el, listed)) || !!(omit && inside(el, omit)));
  return { title: documentTitle(doc), other: !['text/html', 'application/xhtml+xml'].includes(typeOfDocument(doc)), nodes, elements, links, forms: formsOut(forms), more, capped: state.capped, waits: loadState(doc) === 'complete' ? timersDone(doc, within) : within, skeleton: share > ROLELESS_SHARE ? skeletonOf() : undefined,
    overlays: items.filter((i) => i.role === 'dialog' || i.role === 'alertdialog').map((i) => selectorOf(i)) };
});
