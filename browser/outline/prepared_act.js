// An act in one look: what a selector leads to is resolved, counted, judged and prepared in one call, and the input follows. What one look can't prove
// (an element that is out of view, covered, disabled, in motion, of a kind of its own) is answered as not ready: Playwright's own checks wait for it.

const AIM_LASTS = 10000; // ms
const AREA = 0.99; // CSS pixels², by Playwright's rule
const TYPED_INTO = new Set(['email', 'number', 'password', 'search', 'tel', 'text', 'url']);
const CLICKS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
const MOVES = ['pointerover', 'pointermove', 'mousemove'];

const ACTS_ITSELF = 'a[href], area[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]'; // and not for the label around it

const setChosen = Object.getOwnPropertyDescriptor(HTMLOptionElement.prototype, 'selected').set;
const setSelectValue = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set;
const wholeRect = (el) => Element.prototype.getBoundingClientRect.call(el);
const sameRect = (a, b) => a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;
const saysTrue = (el, name) => (attr(el, name) || '').toLowerCase() === 'true';

// lookAtOne answers how many elements lines lead to, without lines the scope; and where it is one, what one returns of it.
function lookAtOne(doc, scope, lines, one) {
  const found = ledTo(doc, scope, lines);
  return found.length === 1 ? { count: 1, ...one(found[0]) } : { count: found.length };
}

function isShownNow(el) {
  const { width, height } = wholeRect(el);
  return width > 0 && height > 0 && rendered(el) && styleOf(el).visibility === 'visible';
}

function isEnabled(el) {
  if (matches(el, ':disabled')) return false;
  for (let node = el; node; node = parentOf(node)) if (saysTrue(node, 'aria-disabled')) return false;
  return true;
}

// takesText reports whether a text can be put into a control at once.
function takesText(el, text) {
  const tag = tagOf(el), type = inputType(el);
  const kind = isHTML(el) && (tag === 'textarea' || (tag === 'input' && TYPED_INTO.has(type)));
  if (!kind || (type === 'number' && Number.isNaN(Number(text.trim())))) return false;
  return !hasAttr(el, 'readonly') && !saysTrue(el, 'aria-readonly') && isShownNow(el) && isEnabled(el);
}

// put selects all that a text control holds, gives it the focus, and notes what is about to be typed there.
OPS.put = (doc, scope, { lines, name = '', secret }) => lookAtOne(doc, scope, lines, (el) => {
  if (!takesText(el, name) || (secret && inputType(el) === 'number')) return {}; // a secret is not known here before it is typed
  if (secret) concealed.add(el);
  else noteTyped(el, name);
  if (tagOf(el) === 'input') HTMLInputElement.prototype.select.call(el);
  else HTMLTextAreaElement.prototype.setSelectionRange.call(el, 0, own(el, 'value').length);
  HTMLElement.prototype.focus.call(el);
  return { ready: focusedIn(doc) === el };
});

// choose selects the option of a select that has a value or a label, and notes it as chosen.
OPS.choose = (doc, scope, { lines, name }) => lookAtOne(doc, scope, lines, (el) => {
  if (tagOf(el) !== 'select' || !isHTML(el) || own(el, 'multiple') || !isShownNow(el) || !isEnabled(el)) return {};
  const option = [...own(el, 'options')].find((o) => own(o, 'value') === name || tidy(own(o, 'label')) === tidy(name));
  if (!option || (own(option, 'value') !== name && own(option, 'label') !== name) || !isEnabled(option)) return {};
  noteTyped(el, name);
  setSelectValue.call(el, undefined);
  setChosen.call(option, true);
  EventTarget.prototype.dispatchEvent.call(el, new Event('input', { bubbles: true, composed: true }));
  EventTarget.prototype.dispatchEvent.call(el, new Event('change', { bubbles: true }));
  return { ready: true };
});

// giveFocus gives an element the focus as Playwright does before a key.
OPS.giveFocus = (doc, scope, { lines }) => lookAtOne(doc, scope, lines, (el) => {
  if (!isHTML(el)) return {};
  const had = focusedIn(doc);
  if (had && had !== el && isEditor(el)) HTMLElement.prototype.blur.call(had);
  HTMLElement.prototype.focus.call(el);
  if (had !== el && tagOf(el) === 'input') {
    try {
      HTMLInputElement.prototype.setSelectionRange.call(el, 0, 0);
    } catch {} // a control without a selection
  }
  return { ready: true };
});

// aim answers what a click on an element would do, and whether it can begin; with point, where, and from then on the events of the next click are let
// through only where they meet that element, which has not moved meanwhile. Of key, see about. With hover the pointer only moves there: its events go
// through, and tell whether they met the element. force says that the driver must not wait: its checks never end where no callback runs.
OPS.aim = (doc, scope, { lines, key, point, hover }) => {
  aim = aimedAt = null;
  return lookAtOne(doc, scope, lines, (el) => {
    const place = workedAt(el), byLabel = place !== el;
    aimedAt = place;
    if (!runsCallbacks && Element.prototype.scrollIntoViewIfNeeded) Element.prototype.scrollIntoViewIfNeeded.call(place, true);
    const at = point ? takeAim(el, place, hover) : {}, { ready } = OPS.ready(doc, place), force = ready && !runsCallbacks;
    if (hover) return { ready, force, byLabel, ...at };
    const does = doneBy(el, key);
    if (aim) aim.does = JSON.stringify(does);
    return { ready, force, byLabel, ...at, ...does };
  });
};

// doneBy returns what activating an element does, as its document is at this moment.
function doneBy(el, key) {
  state = lazyState(ownerDocument(el));
  return activation(el, key);
}

// hit answers what became of the newest aim: "" where its events met the element, or none of a click was seen; and ends it.
OPS.hit = () => {
  const ended = aim;
  aim = null;
  return { why: (ended && (ended.why ?? (ended.hover ? 'no event came' : ''))) || '' };
};

let aim = null, aimedAt = null;

// onlyAimed answers whether lines lead to nothing any more, and the element that was looked at last is still there: the pointer over it may have changed
// what it is called.
OPS.onlyAimed = (doc, scope, { lines }) => ({ aimed: !!aimedAt && isConnected(aimedAt) && !ledTo(doc, scope, lines).length });

// workedAt returns what people click to work an element: itself, or the label of a box that has no size, as where a switch is drawn in its place. A label
// that holds something else to click is none.
function workedAt(el) {
  if (tagOf(el) !== 'input' || !/^(checkbox|radio)$/.test(inputType(el)) || isShownNow(el)) return el;
  return labelsOf(el).find((label) => isShownNow(label) && [...allIn(label, ACTS_ITSELF)].every((part) => part === el)) || el;
}

// takeAim looks for the point of an element's place that can be clicked now. One that is out of view is scrolled there as Playwright does it before a click.
function takeAim(el, place, hover) {
  if (!isShownNow(place) || !isEnabled(el) || isAnimated(place)) return {};
  const find = () => {
    const at = pointIn(place, el);
    return { at, point: at && inPage(ownerDocument(el), at) };
  };
  let { at, point } = find();
  if (!point && Element.prototype.scrollIntoViewIfNeeded) {
    Element.prototype.scrollIntoViewIfNeeded.call(place, true);
    ({ at, point } = find());
  }
  if (!point) return {};
  const taken = { el, place, hover, rect: wholeRect(place), ...at, frames: 0, why: runsCallbacks ? undefined : '', until: performance.now() + AIM_LASTS };
  aim = taken;
  listen();
  requestAnimationFrame(() => taken.frames++);
  return { point };
}

// inPage turns a point of a document into one of the page; null where the frames around it are not known to show it there.
function inPage(doc, { x, y }) {
  const win = windowOf(doc), frame = outerFrame(doc);
  if (!frame) return win.parent === win && win.visualViewport.scale === 1 ? { x, y } : null;
  for (let node = frame; node; node = flatParent(node)) {
    const { transform, rotate, scale, zoom } = styleOf(node);
    if (transform !== 'none' || rotate !== 'none' || scale !== 'none' || Number(zoom) !== 1) return null;
  }
  const { left, top } = withRules(() => throughFrame(frame, { left: x, top: y, right: x, bottom: y }));
  return topmostAt(ownerDocument(frame), left, top) === frame ? inPage(ownerDocument(frame), { x: left, y: top }) : null;
}

// frame answers the address of the document in the frame that lines lead to; '' where it can't be read, or another frame shows the same.
OPS.frame = (doc, scope, { lines }) => lookAtOne(doc, scope, lines, (el) => {
  const addressIn = (frame) => {
    const inner = innerDocument(frame);
    return inner ? documentURL(inner) : '';
  };
  const url = addressIn(el);
  return { url: rootsOf(doc).flatMap((root) => [...allIn(root, 'iframe')]).filter((frame) => addressIn(frame) === url).length === 1 ? url : '' };
});

const documentURL = getter(Document.prototype, 'URL');

// pointIn returns the point of an element's place that Playwright would click without scrolling; null where that is not in view as a whole, or something else
// is there.
function pointIn(place, el) {
  const whole = wholeRect(place), first = [...Element.prototype.getClientRects.call(place)].find((r) => r.width * r.height > AREA);
  if (!first || visualViewport.scale !== 1 || !liesIn(whole, { left: 0, top: 0, right: innerWidth, bottom: innerHeight })) return null;
  for (let node = flatParent(place); node; node = flatParent(node)) {
    const style = styleOf(node);
    if ((style.overflowX !== 'visible' || style.overflowY !== 'visible') && node !== rootElement(ownerDocument(place)) && !liesIn(whole, wholeRect(node))) return null;
  }
  const x = Math.trunc((first.left + first.width / 2) * 100) / 100, y = Math.trunc((first.top + first.height / 2) * 100) / 100;
  return meetsAt(el, x, y) ? { x, y } : null;
}

const liesIn = (inner, outer) => inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right && inner.bottom <= outer.bottom;

// meetsAt reports whether what stands at a point is an element, or in it, or in its label: a click there is a click on its control, which is often
// out of sight behind what is drawn for it (a switch).
const meetsAt = (el, x, y) => belongs(topmostAt(ownerDocument(el), x, y), el);

function belongs(met, el) {
  for (let node = met, labels = true; node; node = flatParent(node)) {
    if (node === el || (labels && node instanceof HTMLLabelElement && labelControl(node) === el)) return true;
    labels &&= !matches(node, ACTS_ITSELF);
  }
  return false;
}

// whyMissed returns why an event does not meet what was aimed at; '' where it does.
function whyMissed(event) {
  if (!isConnected(aim.el)) return 'it went away';
  if (isElsewhere(event)) return 'it was another point';
  if (!aim.hover && (aim.frames === 0 || !sameRect(aim.rect, wholeRect(aim.place)))) return 'it moves';
  if (!aim.hover && JSON.stringify(doneBy(aim.el)) !== aim.does) return 'it says that it does something else';
  const met = aim.hover ? Event.prototype.composedPath.call(event)[0] : topmostAt(ownerDocument(aim.el), event.clientX, event.clientY); // what the pointer meets may go away under it
  return belongs(met, aim.el) ? '' : 'something else is there';
}

const isElsewhere = (event) => Math.abs(event.clientX - aim.x) > 1 || Math.abs(event.clientY - aim.y) > 1;

function judgePointer(event) {
  if (!aim || !event.isTrusted || MOVES.includes(event.type) !== !!aim.hover || (aim.hover && isElsewhere(event))) return; // where the layout changes, the browser moves the pointer on the spot
  if (performance.now() > aim.until) {
    aim = null;
    return;
  }
  if (aim.why === undefined) { // the first event tells of those that follow
    aim.why = whyMissed(event);
    state = null;
  }
  if (!aim.why || aim.hover) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

// listening is begun with the first aim: where this script runs beside the page's own, as it may for a handle of Playwright's, nothing is aimed.
let listening = false;

function listen() {
  if (listening) return;
  listening = true;
  for (const type of [...CLICKS, ...MOVES]) EventTarget.prototype.addEventListener.call(globalThis, type, judgePointer, { capture: true, passive: false });
}
