// The identity of an element, by which it is found again when the page has changed: the ways to find it, and what distinguishes it from any other.

// The roles whose words distinguish what is equal in itself: the "Delete" of one row from that of another.
const HOLDERS = new Set(['row', 'listitem', 'article', 'group', 'region', 'form', 'dialog', 'alertdialog', 'radiogroup', 'tabpanel', 'navigation',
  'search', 'toolbar', 'menu', 'figure', 'table', 'grid', 'treeitem']);
const LABELLED = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea']);
const MAX_SCANNED = 8000; // elements beyond which nothing is looked for by its text

let latest = { look: '', times: 0 };

// identity answers for one element. look is another one each time: where a selector has several matches, as many answers come, of which the last
// is read and says so.
OPS.identity = (doc, scope, { look }) => {
  latest = latest.look === look ? { look, times: latest.times + 1 } : { look, times: 1 };
  return latest.times > 1 ? { several: true } : identityOf(doc, scope);
};

// identityOf answers an element's locators, each of which leads to it alone, the steadiest first; and its fingerprint: what a person would
// know it by, without its place, its classes and its attributes.
function identityOf(doc, el) {
  if (!el || ['html', 'body'].includes(tagOf(el))) return { none: true };
  if (!state) index(doc, el);
  const lines = state.items.filter((item) => item.el === el && !item.gone);
  const item = lines.find((i) => i.role !== 'text') || lines[0];
  const print = printOf(el, item);
  const alike = item ? state.items.filter((i) => i.role === item.role && !i.gone && keyOf(i) === keyOf(item)) : [];
  const ordinal = new Set(alike.map((i) => i.el)).size > 1 || (item && !keyOf(item));
  const holder = ordinal && keyOf(item) ? holderOf(item, alike) : null;
  if (holder) print.within = holder.role + ' ' + quoted(keyOf(holder));
  else if (ordinal && alike.length > 1) print.of = String(sameLines(item).get(el)) + ' of ' + String(new Set(alike.map((i) => i.el)).size);
  else if (!item) print.path = cssPath(el);
  const value = textHeld(el);
  return { locators: locatorsOf(doc, el, item, ordinal, holder), fingerprint: print, secret: secretField(el), empty: value === '' };
}

// textHeld returns what a text control holds; undefined where it is none.
function textHeld(el) {
  return ['input', 'textarea'].includes(tagOf(el)) ? own(el, 'value') : undefined;
}

function printOf(el, item) {
  const print = { tag: tagOf(el) };
  const role = (item && item.role) || roleOf(el) || '';
  if (role && !isPresentation(role)) print.role = role;
  const name = item ? keyOf(item) : secretField(el) ? '' : cut(contentOf(el), NAME_MAX);
  if (name) print.name = name;
  else {
    const field = attr(el, 'name') || attr(el, 'placeholder');
    if (field) print.field = field;
  }
  if (print.tag === 'input') print.type = inputType(el);
  return print;
}

// holderOf returns the nearest item around one that has words of its own and holds none of those that are alike.
function holderOf(item, alike) {
  for (let at = item.parent; at; at = at.parent) {
    if (!HOLDERS.has(at.role) || at.gone || !keyOf(at)) continue;
    const inside = alike.filter((other) => {
      for (let up = other; up; up = up.parent) if (up === at) return true;
      return false;
    });
    return inside.length === 1 && sameLines(at).size === 1 ? at : null;
  }
  return null;
}

function locatorsOf(doc, el, item, ordinal, holder) {
  const out = [], all = everything(doc);
  const testid = attr(el, 'data-testid');
  if (testid && all.filter((e) => attr(e, 'data-testid') === testid).length === 1) out.push({ kind: 'testid', value: testid });
  if (item && !ordinal) out.push({ kind: 'line', value: selectorOf(item) });
  if (holder) out.push({ kind: 'line', value: selectorOf(holder) + ' >> ' + item.role + ' ' + quoted(shownQuote(item)) });
  for (const label of new Set(labelTexts(el))) {
    if (label && all.filter((e) => labelTexts(e).includes(label)).length === 1) out.push({ kind: 'label', value: label });
  }
  const id = attr(el, 'id');
  if (id && all.filter((e) => attr(e, 'id') === id).length === 1) out.push({ kind: 'css', value: '#' + CSS.escape(id) });
  const text = ['select', 'textarea'].includes(tagOf(el)) ? '' : oneSpaced(textContent(el));
  if (text && text.length <= NAME_MAX && all.length <= MAX_SCANNED && !secretField(el)) {
    const found = all.filter((e) => shownText(e) === text && ![...Element.prototype.querySelectorAll.call(e, '*')].some((inner) => shownText(inner) === text));
    if (found.length === 1 && found[0] === el) out.push({ kind: 'text', value: text });
  }
  if (item && ordinal) out.push({ kind: 'line', value: selectorOf(item) });
  const path = cssPath(el);
  if (!out.some((l) => l.kind === 'css' && l.value === path)) out.push({ kind: 'css', value: path });
  return out;
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
