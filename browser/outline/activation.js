// What activating an element would do, as far as its words, its form and its attributes show: the guard's question before a click or a
// key press.

// The roles that act when they are activated. A checkbox, an option or a text field called "Delete …" only changes a state.
const ACTS = new Set(['button', 'link', 'menuitem', 'clickable']);
const ONLY_STATE = new Set(['checkbox', 'radio', 'option', 'tab', 'textbox', 'searchbox', 'combobox', 'listbox', 'spinbutton', 'slider', 'switch', 'heading',
  'menuitemcheckbox', 'menuitemradio', 'treeitem']);
const MAX_PLAIN_NAME = 80, MAX_HINT = 300, MAX_HINTS = 40, MAX_QUESTION = 200;

const formElements = getter(HTMLFormElement.prototype, 'elements');
const baseOf = getter(Node.prototype, 'baseURI');

// about answers the selector and the names of what the element, or what has the focus, activates, and what that sends. A key submits the
// form of a text field; a click into one does not.
OPS.about = (doc, scope, { key }) => {
  const target = scope || focusedIn(doc);
  if (!target) return { line: 'the page', names: [] };
  const { line } = OPS.line(doc, target);
  state = lazyState(doc);
  return { line, ...activation(target, key) };
};

// activation returns what activating an element does, by the state that there is.
function activation(target, key) {
  const control = actorOf(target);
  const names = [];
  if (control) names.push(nameOf(control) || contentOf(control), attr(control, 'title') || '');
  else if (!ONLY_STATE.has(roleOf(target))) {
    const text = contentOf(target);
    if (text.length <= MAX_PLAIN_NAME) names.push(text);
  }
  const entered = key && !control && isField(target);
  const submitter = control && isSubmit(control) ? control : entered ? defaultButton(target) : null;
  if (entered && submitter) names.push(nameOf(submitter));
  const form = submitter || entered ? own(submitter || target, 'form') : null;
  const acting = control || target;
  return {
    names: names.filter(Boolean), hints: hintsOf(acting, form), around: questionsOf(acting), saves: savesFile(acting),
    requests: [...(form ? formRequests(form, submitter) : []), ...attributeRequests(acting)],
  };
}

// savesFile reports whether an element is a link that the browser follows by saving what is there.
const savesFile = (el) => ['a', 'area'].includes(tagOf(el)) && attr(el, 'download') !== null && attr(el, 'href') !== null;

// actorOf returns the nearest element around one, or itself, that acts; null where a control that only holds a state comes first.
function actorOf(el) {
  for (let node = el; node; node = parentOf(node)) {
    const role = roleOf(node);
    if (ACTS.has(role) || state.clickable.has(node)) return node;
    if (ONLY_STATE.has(role)) return null;
  }
  return null;
}

function isSubmit(el) {
  const tag = tagOf(el);
  return (tag === 'button' && inputType(el) === 'submit') || (tag === 'input' && ['submit', 'image'].includes(inputType(el)));
}

const isField = (el) => tagOf(el) === 'input' && !['button', 'reset', 'checkbox', 'radio', 'file', 'color', 'range'].includes(inputType(el));

// defaultButton returns the button that Enter in a field of its form presses.
function defaultButton(el) {
  const form = own(el, 'form');
  return form ? [...formElements(form)].find(isSubmit) || null : null;
}

// formRequests lists what submitting a form sends, without what a person types into it: nothing for one that only closes its dialog. A method
// that HTML does not know is GET.
function formRequests(form, submitter) {
  const asked = ((submitter && attr(submitter, 'formmethod')) || attr(form, 'method') || 'get').trim().toUpperCase();
  if (asked === 'DIALOG') return [];
  const method = asked === 'POST' ? 'POST' : 'GET';
  let address = absolute((submitter && attr(submitter, 'formaction')) || attr(form, 'action') || '', form);
  const fields = new URLSearchParams();
  for (const el of formElements(form)) {
    const name = attr(el, 'name');
    if (name && (el === submitter || inputType(el) === 'hidden')) fields.append(name, cut(attr(el, 'value') || '', MAX_HINT));
  }
  const text = fields.toString();
  if (method !== 'GET') return [{ method, address, body: text }];
  if (text) address += (address.includes('?') ? '&' : '?') + text;
  return [{ method, address }];
}

const SENDING = { __proto__: null, 'hx-delete': 'DELETE', 'hx-post': 'POST', 'hx-put': 'PUT', 'hx-patch': 'PATCH', 'ic-delete-from': 'DELETE' };

// attributeRequests lists what the attributes of an element send in frameworks that read them, and where its link leads.
function attributeRequests(el) {
  const out = [];
  const href = attr(el, 'href');
  if (href !== null) {
    const method = attr(el, 'data-method') || attr(el, 'data-turbo-method') || 'GET';
    const address = absolute(href, el);
    if (/^https?:/.test(address)) out.push({ method: method.toUpperCase(), address });
  } else if (attr(el, 'data-method')) out.push({ method: attr(el, 'data-method').toUpperCase(), address: absolute(attr(el, 'data-url') || '', el) });
  for (const name of attributeNames(el)) {
    const method = SENDING[name.replace(/^data-(?=hx-)/, '')];
    if (method) out.push({ method, address: absolute(attr(el, name), el) });
  }
  return out;
}

const CALLED = /^(?:class|id|name|value|title|alt|src|href|xlink:href|onclick|formaction|aria-describedby|icon|data-.*|wire:.*|x-on:.*|@.*|v-on:.*|ng-click|\(click\))$/;

// hintsOf lists what the author called an element and its icons. What stands in a field is no name of it.
function hintsOf(el, form) {
  const out = [];
  const collect = (node) => {
    for (const name of attributeNames(node)) {
      if (out.length >= MAX_HINTS) return;
      if (!CALLED.test(name) || (name === 'value' && isField(node) && !isSubmit(node))) continue;
      let value = cut(attr(node, name), MAX_HINT);
      if (/^(?:src|href|xlink:href)$/.test(name)) value = value.replace(/^[^#]*#/, '').replace(/[?#].*$/, '').replace(/^.*\//, '');
      if (value) out.push(value);
    }
  };
  collect(el);
  const inside = Element.prototype.querySelectorAll.call(el, '*');
  for (let i = 0; i < inside.length && out.length < MAX_HINTS; i++) collect(inside[i]);
  if (form) out.push(cut((attr(form, 'id') || '') + ' ' + (attr(form, 'name') || '') + ' ' + (attr(form, 'class') || ''), MAX_HINT));
  return out;
}

const ASKS = ['data-confirm', 'data-turbo-confirm', 'hx-confirm', 'data-confirm-message'];

// questionsOf lists the questions in an element's own attributes, and the label and headings of the dialog around it.
function questionsOf(el) {
  const out = ASKS.map((name) => attr(el, name)).filter(Boolean);
  const dialog = Element.prototype.closest.call(el, 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true]');
  if (dialog) {
    out.push(attr(dialog, 'aria-label') || '', ...idRefs(dialog, 'aria-labelledby').map((ref) => tidy(textContent(ref))));
    for (const h of Element.prototype.querySelectorAll.call(dialog, 'h1, h2, h3, h4, h5, h6, [role=heading], p')) out.push(tidy(textContent(h)));
  }
  return out.filter(Boolean).slice(0, 6).map((text) => cut(text, MAX_QUESTION));
}

function absolute(address, el) {
  try {
    return new URL(address || baseOf(el), baseOf(el)).href;
  } catch {
    return address;
  }
}

// The elements that a script must not activate, while one runs. Playwright's isolated world shares the document's events with the page.
let scripted = null;
const MAX_ACTORS = 3000;
const ACTING = 'button, a[href], input[type=submit], input[type=button], input[type=image], [role=button], [role=link], [role=menuitem], [onclick]';

// actors answers what activating each acting element of the document does, hidden ones too, and keeps them for watchScript.
OPS.actors = (doc) => {
  index(doc, null);
  const found = new Set(state.clickable);
  const collect = (root) => {
    const query = nodeType(root) === 9 ? Document.prototype.querySelectorAll : DocumentFragment.prototype.querySelectorAll;
    for (const el of query.call(root, '*')) {
      if (found.size >= MAX_ACTORS) return;
      if (matches(el, ACTING)) found.add(el);
      const shadow = shadowRootOf(el);
      if (shadow) collect(shadow);
    }
  };
  collect(doc);
  const elements = [...found];
  scripted = { elements, forbidden: new Set(), hits: [], stop: null };
  return elements.map((el) => {
    const a = activation(el, false);
    const text = tidy(textContent(el));
    a.names.push(attr(el, 'aria-label') || '', tagOf(el) === 'input' ? attr(el, 'value') || '' : '', text.length <= MAX_PLAIN_NAME ? text : '');
    a.names = [...new Set(a.names.filter(Boolean))];
    return a;
  });
};

// watchScript stops the clicks of scripts on those of the actors that are forbidden, until scriptClicks.
OPS.watchScript = (doc, scope, { items }) => {
  if (!scripted) return 0;
  const { elements, forbidden, hits } = scripted;
  for (const i of items) forbidden.add(elements[i]);
  const listener = (event) => {
    const submits = event.type === 'submit'; // which the browser itself sends, when a script asks for it
    if (event.isTrusted && !submits) return;
    const el = submits ? (forbidden.has(event.submitter) ? event.submitter : null) : event.composedPath().find((node) => forbidden.has(node));
    if (!el) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    if (!event.cancelable) withoutLink(el);
    if (hits.length < 20) hits.push(tidy(attr(el, 'aria-label') || textContent(el) || attr(el, 'value') || attr(el, 'title') || tagOf(el)).slice(0, MAX_PLAIN_NAME));
  };
  const view = doc.defaultView;
  const types = ['click', 'submit', 'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'dblclick', 'touchend', 'keydown'];
  for (const type of types) EventTarget.prototype.addEventListener.call(view, type, listener, true);
  scripted.stop = () => types.forEach((type) => EventTarget.prototype.removeEventListener.call(view, type, listener, true));
  return forbidden.size;
};

// withoutLink takes a link's address away until the script has ended: the click of an event that can't be cancelled follows it.
function withoutLink(el) {
  const link = Element.prototype.closest.call(el, 'a[href]');
  if (!link) return;
  const href = attr(link, 'href');
  Element.prototype.removeAttribute.call(link, 'href');
  queueMicrotask(() => Element.prototype.setAttribute.call(link, 'href', href));
}

// scriptClicks returns what watchScript stopped since the last call; last ends it.
OPS.scriptClicks = (doc, scope, { last }) => {
  if (!scripted) return [];
  const hits = scripted.hits.splice(0);
  if (!last) return hits;
  if (scripted.stop) scripted.stop();
  scripted = null;
  return hits;
};
