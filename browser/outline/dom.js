// The page's tree, read in a way that the page can't bend.
//
// The engine runs in Playwright's isolated world, so the page's own scripts can't replace a prototype. What it still can do is
// "clobber": <form><input name=parentNode></form> makes form.parentNode the input. So every property of a node that the page
// controls is read through the prototype's own getter, taken once.

const getter = (proto, name) => {
  const get = Object.getOwnPropertyDescriptor(proto, name).get;
  return (node) => get.call(node);
};
const nodeType = getter(Node.prototype, 'nodeType');
const nodeValue = getter(Node.prototype, 'nodeValue');
const firstChild = getter(Node.prototype, 'firstChild');
const nextSibling = getter(Node.prototype, 'nextSibling');
const parentNode = getter(Node.prototype, 'parentNode');
const ownerDocument = getter(Node.prototype, 'ownerDocument');
const windowOf = getter(Document.prototype, 'defaultView');
const documentSheets = getter(Document.prototype, 'styleSheets');
const textContent = getter(Node.prototype, 'textContent');
const innerText = getter(HTMLElement.prototype, 'innerText');
const localName = getter(Element.prototype, 'localName');
const namespaceURI = getter(Element.prototype, 'namespaceURI');
const shadowRootOf = getter(Element.prototype, 'shadowRoot');
const assignedSlot = getter(Element.prototype, 'assignedSlot');
const prevElement = getter(Element.prototype, 'previousElementSibling');
const nextElement = getter(Element.prototype, 'nextElementSibling');
const firstElement = getter(Element.prototype, 'firstElementChild');
const hostOf = getter(ShadowRoot.prototype, 'host');
const rootElement = getter(Document.prototype, 'documentElement');
const activeInDocument = getter(Document.prototype, 'activeElement');
const activeInShadow = getter(ShadowRoot.prototype, 'activeElement');
const labelControl = getter(HTMLLabelElement.prototype, 'control');
const contentEditable = getter(HTMLElement.prototype, 'isContentEditable');
const tableRows = getter(HTMLTableElement.prototype, 'rows');

const attr = (el, name) => Element.prototype.getAttribute.call(el, name);
const hasAttr = (el, name) => Element.prototype.hasAttribute.call(el, name);
const attributeNames = (el) => Element.prototype.getAttributeNames.call(el);
const matches = (el, css) => Element.prototype.matches.call(el, css);
const rendered = (el) => Element.prototype.checkVisibility.call(el);
const assignedNodes = (slot) => HTMLSlotElement.prototype.assignedNodes.call(slot);
const styleOf = (el, pseudo) => getComputedStyle(el, pseudo);
const newRange = (doc) => Document.prototype.createRange.call(doc);
const boxOf = (el) => Element.prototype.getBoundingClientRect.call(el);
const newElement = (doc) => Document.prototype.createElement.call(doc, 'div');

const SVG = 'http://www.w3.org/2000/svg';
const HTML = 'http://www.w3.org/1999/xhtml';
const tagOf = (el) => localName(el).toLowerCase();
const isHTML = (el) => namespaceURI(el) === HTML;
const isSVG = (el) => namespaceURI(el) === SVG;

// The form control interfaces, by tag: each has its own getters.
const CONTROLS = {
  __proto__: null,
  button: HTMLButtonElement, input: HTMLInputElement, output: HTMLOutputElement,
  select: HTMLSelectElement, textarea: HTMLTextAreaElement, option: HTMLOptionElement,
};
const controlGetters = new Map();

// own reads a property of a form control, such as value or labels; undefined where the element has none.
function own(el, name) {
  const tag = tagOf(el);
  const iface = CONTROLS[tag];
  if (!iface || !isHTML(el)) return undefined; // not instanceof: an element in a frame is of another realm
  const key = tag + '.' + name;
  if (!controlGetters.has(key)) {
    const d = Object.getOwnPropertyDescriptor(iface.prototype, name);
    controlGetters.set(key, d ? d.get : null);
  }
  const get = controlGetters.get(key);
  return get ? get.call(el) : undefined;
}

const inputType = (el) => own(el, 'type') || '';
const labelsOf = (el) => [...(own(el, 'labels') || [])];

// childrenOf lists the element and text children of a node as the document has them.
function childrenOf(node) {
  const out = [];
  for (let child = firstChild(node); child; child = nextSibling(child)) {
    const type = nodeType(child);
    if (type === 1 || type === 3) out.push(child);
  }
  return out;
}

// flatChildren lists the children as they are drawn: a shadow root in place of its host's children, slotted nodes in place of the
// slot's fallback.
function flatChildren(el) {
  const shadow = shadowRootOf(el);
  if (shadow) return childrenOf(shadow);
  if (tagOf(el) === 'slot' && isHTML(el)) {
    const assigned = assignedNodes(el);
    if (assigned.length) return assigned.filter((n) => nodeType(n) === 1 || nodeType(n) === 3);
  }
  return childrenOf(el);
}

// parentOf climbs across shadow boundaries; undefined above the root element. A slotted element's parent is its host, not the slot:
// attributes that inherit (aria-disabled) and landmarks go by the host.
function parentOf(el) {
  const parent = parentNode(el);
  if (!parent) return undefined;
  const type = nodeType(parent);
  if (type === 1) return parent;
  if (type !== 11) return undefined;
  try {
    return hostOf(parent);
  } catch {
    return undefined; // a fragment, or what stands in one
  }
}

// flatParent climbs the drawn tree.
const flatParent = (el) => assignedSlot(el) || parentOf(el);

const contains = (outer, inner) => {
  for (let node = inner; node; node = flatParent(node)) if (node === outer) return true;
  return false;
};

function treeRoot(el) {
  let node = el;
  for (let up = parentNode(node); up; up = parentNode(node)) node = up;
  return node;
}

// idRefs finds the elements that an attribute names by id, within the element's own tree.
function idRefs(el, attribute) {
  const ids = (attr(el, attribute) || '').split(/\s+/).filter(Boolean);
  if (!ids.length) return [];
  const root = treeRoot(el);
  const query = nodeType(root) === 9 ? Document.prototype.querySelector : DocumentFragment.prototype.querySelector;
  if (nodeType(root) !== 9 && nodeType(root) !== 11) return [];
  const found = ids.map((id) => query.call(root, '#' + CSS.escape(id))).filter(Boolean);
  return [...new Set(found)];
}

// focusedIn finds the focused element, through open shadow roots.
function focusedIn(doc) {
  let el = activeInDocument(doc);
  for (let i = 0; el && i < 50; i++) {
    const shadow = shadowRootOf(el);
    const inner = shadow && activeInShadow(shadow);
    if (!inner) return el;
    el = inner;
  }
  return el;
}

const OURS_LASTS = 250; // ms in which the browser tells of a scroll

// scrollBox scrolls a box at once. That is no change of the page: see observed_from_start.js.
function scrollBox(box, left, top) {
  globalThis.assayObserved.oursUntil = performance.now() + OURS_LASTS;
  Element.prototype.scrollTo.call(box, { left, top, behavior: 'instant' });
}
