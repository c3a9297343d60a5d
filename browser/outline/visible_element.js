// Whether a person sees anything of an element, and whether it can be used: two questions with two answers.

const PAINTLESS = new Set(['head', 'script', 'style', 'template', 'noscript', 'meta', 'link', 'title', 'base', 'param', 'source', 'track', 'area', 'datalist', 'col', 'colgroup', 'br', 'wbr']);

// elements answers the state of every element of a look.
// name holds the words by which they were asked for.
OPS.elements = (doc, scope, { look, all, name, css }) => withRules(() => {
  const kept = keep(look, () => ({ elements: [], pieces: [] }));
  const present = kept.elements.filter(isConnected);
  return { top: !aboveIsForeign(doc), count: present.length, stood: stoodElements(present) || undefined, ...foundBefore(present, css), left: leftSince() || undefined, states: present.map((el) => laterOf(judgeNamed(el, name || '', kept), el)), ending: present.some(endingAt), around: (all && present.length && unrenderedAround(present[0])) || undefined,
    reaches: (all && present.length > 0 && goesOnAround(present[0])) || undefined };
});

// laterOf adds whether what is not seen, from where the page stands, may be brought in where it is scrolled to. What is in doubt pictures may
// find unseen.
function laterOf(state, el) {
  if (state.state !== 'unseen' && state.state !== 'doubt') return state;
  leave();
  return comesLater(el) ? { ...state, later: true } : state;
}

// judgeElement reports whether anything of an element is seen. What paints nothing by its nature (a script, a link in the head) is unseen
// with the state "paintless".
function judgeElement(el) {
  const tag = tagOf(el);
  if (PAINTLESS.has(tag) && isHTML(el)) return { state: 'paintless', why: 'not rendered' };
  if ((tag === 'option' || tag === 'optgroup') && isHTML(el)) return judgeOption(el);
  const why = unrendered(el);
  if (why && !(why === 'hidden' && showsWithin(el))) return unseen(why);
  let first = null;
  for (const part of partsOf(el)) {
    const here = judgePart(part);
    if (here.state === 'seen') return sure;
    if (!first || (first.state === 'unseen' && here.state === 'doubt')) first = here;
  }
  if (first && first.state === 'unseen') return first;
  const box = boxOf(el);
  if (box.width < 0.5 || box.height < 0.5) return first || unseen(box.width || box.height || styleNow(el).display !== 'contents' ? 'no size' : 'nothing in it is seen');
  return judgeBox(el, first);
}

// showsPicture reports whether an element draws something by which a person can tell what it is, beside its words.
function showsPicture(el) {
  const tag = tagOf(el), style = styleNow(el);
  if (['svg', 'canvas', 'video', 'object', 'iframe'].includes(tag) || (tag === 'input' && !PAINTED_INPUT.has(inputType(el))) || (tag === 'img' && naturalWidth(el) > 0)) return true;
  if (/url\(/.test(style.backgroundImage + (style.maskImage || style.webkitMaskImage || ''))) return true;
  return ['::before', '::after'].some((which) => {
    const drawn = viewOf(el).getComputedStyle(el, which);
    return !['none', 'normal', '""'].includes(drawn.content) && drawn.display !== 'none' && (/url\(/.test(drawn.content + drawn.backgroundImage + drawn.maskImage) || hasGlyph(drawn.content));
  }) || hasGlyph(ownTextOf(el));
}

const hasGlyph = (text) => bare(text) !== tidy(text);
const ownTextOf = (el) => childrenOf(el).map((child) => (nodeType(child) === 3 ? nodeValue(child) : '')).join('');

// showsWithin reports whether something in a hidden element is not hidden.
const showsWithin = (el) => [...allIn(el, '*')].slice(0, MAX_PARTS).some((e) => styleNow(e).visibility === 'visible' && rendered(e));

// judgeOption judges an option by where it is shown: in a closed list, which shows the chosen one alone, or by its own box.
function judgeOption(el) {
  const select = Element.prototype.closest.call(el, 'select');
  if (!select) return unseen('not rendered');
  if (boxOf(el).height >= 0.5) return judgePiece({ el, select, text: textContent(el), shown: textContent(el) }, 0, 1);
  return tagOf(el) === 'option' && selectedOf(el) ? judgeElement(select) : unseen('in a closed list');
}

// partsOf lists what an element consists of that paints: its texts, then pictures, controls and grounds, as far as it has to be looked at.
function* partsOf(el) {
  let n = 0;
  for (const piece of piecesOf(el, false)) {
    if (++n > MAX_PARTS) break;
    const word = /\S+/.exec(piece.text);
    yield { piece, from: word ? word.index : 0, to: word ? word.index + word[0].length : piece.text.length };
  }
  n = 0;
  for (const part of [el, ...allIn(el, '*')]) {
    if (++n > MAX_PARTS) break;
    if (drawsItself(part)) yield { el: part };
  }
}

// drawsItself reports whether an element is sure to draw something where it is: a loaded picture, a control as the browser draws it, a ground.
function drawsItself(el) {
  const tag = tagOf(el);
  if (tag === 'img') return naturalWidth(el) > 0;
  if (tag === 'video' || tag === 'iframe' || tag === 'progress' || tag === 'meter') return true;
  if (tag === 'input' && ['checkbox', 'radio', 'range', 'color', 'file'].includes(inputType(el))) return styleNow(el).appearance !== 'none' || paintsGround(el);
  return paintsGround(el);
}

function paintsGround(el) {
  const style = styleNow(el);
  if (colorOf(style.backgroundColor)[3] > 0.05) return true;
  return ['Top', 'Right', 'Bottom', 'Left'].some((side) => Number.parseFloat(style['border' + side + 'Width']) >= 1 && style['border' + side + 'Style'] !== 'none' && colorOf(style['border' + side + 'Color'])[3] > 0.05);
}

function judgePart(part) {
  if (part.piece) return judgePiece(part.piece, part.from, part.to, true);
  const why = unrendered(part.el);
  if (why) return unseen(why);
  return judgeBox(part.el, null);
}

// judgeBox reports whether the box of an element is in view and uncovered at one of five points, and what it paints differs from its ground.
function judgeBox(el, known) {
  const measure = () => boxOf(el);
  let part = visiblePart(el, false, measure());
  if (part.why) {
    bring(el, false, measure);
    part = visiblePart(el, false, measure());
  }
  if (part.why) return unseen(part.why);
  if (empty(part.r)) return unseen('no size');
  const { left, top, right, bottom } = part.r;
  let cover = null;
  for (const [fx, fy] of [[0.5, 0.5], [0.15, 0.15], [0.85, 0.15], [0.15, 0.85], [0.85, 0.85]]) {
    const x = left + (right - left) * fx, y = top + (bottom - top) * fy;
    const here = pseudoHit(el, x, y) ? doubtful('covered by its own pseudo-element') : coverAt(el, x, y);
    if (here.state === 'seen' && !known && !chainOf(el).doubt && differs(el, here.stack, x, y)) return sure;
    cover ||= here.state === 'seen' ? null : here;
  }
  return known || cover || doubtful(chainOf(el).doubt || 'nothing of its own is painted for sure');
}

// differs reports whether what an element paints stands out from what is below it.
function differs(el, stack, x, y) {
  const tag = tagOf(el), style = styleNow(el);
  if (['img', 'video', 'iframe', 'progress', 'meter'].includes(tag)) return true;
  if (tag === 'input' && style.appearance !== 'none') return true;
  const doc = ownerDocument(el);
  const below = groundAt(stack.filter((e) => e !== el), x, y, doc), here = groundAt([el, ...stack.filter((e) => e !== el)], x, y, doc);
  if (below && here && contrast(below, here) >= 1.05) return true;
  return ['Top', 'Right', 'Bottom', 'Left'].some((side) => Number.parseFloat(style['border' + side + 'Width']) >= 1 && style['border' + side + 'Style'] !== 'none' &&
    below && contrast(over(colorOf(style['border' + side + 'Color']), colorOf(style['border' + side + 'Color'])[3] * chainOf(el).opacity, below), below) >= CONTRAST_SURE);
}

// use answers whether the one element of a look can be used: it is not disabled, not inert, and a pointer meets it, or a label of it.
OPS.use = (doc, scope, { css }) => withRules(() => ({ ...useOf(scope), stood: stoodSo(scope, css, 'useKept') }));

function useOf(scope) {
  if (switchedOff(scope)) return { disabled: true, why: 'disabled' };
  for (let node = scope; node; node = drawnParent(node)) if (own(node, 'inert') || hasAttr(node, 'inert')) return { disabled: true, why: 'inert' };
  const why = unrendered(scope);
  if (why && why !== 'transparent') return { why };
  const targets = [scope, ...labelsOf(scope)];
  let met = '';
  for (const el of targets) {
    if (unrendered(el) && unrendered(el) !== 'transparent') continue;
    const trouble = missed(el);
    if (!trouble) return {};
    met ||= trouble;
  }
  return { why: met || 'no size' };
}

// switchedOff reports whether a control is disabled, by itself or by what it stands in.
function switchedOff(el) {
  if (isHTML(el) && matches(el, ':disabled')) return true;
  for (let node = el; node; node = parentOf(node)) {
    const said = (attr(node, 'aria-disabled') || '').toLowerCase();
    if (said) return said === 'true';
  }
  return false;
}

// missed returns what keeps a pointer from an element, at its middle and, where that is not its own, at its quarters; '' when it is met.
function missed(el) {
  const measure = () => boxOf(el);
  bring(el, false, measure);
  const part = visiblePart(el, false, measure());
  if (part.why) return part.why;
  const { left, top, right, bottom } = part.r;
  let by = '';
  for (const [fx, fy] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5]]) {
    const trouble = metAt(el, left + (right - left) * fx, top + (bottom - top) * fy);
    if (!trouble) return '';
    by ||= trouble;
  }
  return by;
}

function metAt(el, x, y) {
  const [hit] = stackAt(el, x, y);
  if (!hit) return 'off-screen';
  if (!contains(el, hit)) {
    const modal = Element.prototype.closest.call(hit, 'dialog, [aria-modal=true], [role=dialog]');
    return (modal && !contains(modal, el) ? 'under the dialog ' : 'covered by ') + nameFor(modal && !contains(modal, el) ? modal : hit);
  }
  const frame = outerFrame(ownerDocument(el));
  if (!frame) return '';
  const p = throughFrame(frame, { left: x, top: y, right: x, bottom: y });
  return metAt(frame, p.left, p.top);
}

// control answers the state and the value of a control: native, by ARIA, or editable.
OPS.control = (doc, scope, { css }) => ({ ...controlNow(scope), stood: stoodSo(scope, css, 'stateKept') });

function controlNow(scope) {
  state = newState();
  const tag = tagOf(scope), type = inputType(scope), role = roleOf(scope) || '';
  const aria = (name) => (attr(scope, 'aria-' + name) || '').toLowerCase();
  const out = { secret: secretField(scope) };
  if (['checkbox', 'radio'].includes(type)) out.on = !!own(scope, 'checked');
  else if (tag === 'option') out.on = selectedOf(scope);
  else if (CHECKED.has(role) && aria('checked')) out.on = aria('checked') === 'true';
  else if (aria('pressed')) out.on = aria('pressed') === 'true';
  else if (CHECKED.has(role) && ['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'].includes(role)) out.on = false;
  if (out.secret) return out;
  const value = own(scope, 'value');
  const editable = attr(scope, 'contenteditable');
  if (['input', 'textarea', 'select', 'output'].includes(tag) && typeof value === 'string') out.value = value;
  else if (tag === 'progress' || tag === 'meter') out.value = attr(scope, 'value') || '';
  else if ((editable !== null && editable.toLowerCase() !== 'false') || role === 'textbox' || role === 'searchbox') out.value = isHTML(scope) ? innerText(scope).replace(/\n$/, '') : '';
  else if (role === 'combobox' || role === 'spinbutton' || role === 'slider') out.value = attr(scope, 'aria-valuetext') || attr(scope, 'aria-valuenow') || fieldWithin(scope) || contentOf(scope);
  return out;
}

function fieldWithin(el) {
  const field = [...allIn(el, 'input, textarea')].find((e) => !secretField(e));
  return field ? own(field, 'value') || '' : '';
}

const MAX_CANVASES = 50;

// drawnOn names the canvas that most of the window is; '' where there is none.
function drawnOn(doc) {
  const { innerWidth, innerHeight } = windowOf(doc);
  for (const canvas of [...allIn(doc, 'canvas')].slice(0, MAX_CANVASES)) {
    const r = boxOf(canvas);
    if (2 * r.width * r.height > innerWidth * innerHeight && !unrendered(canvas)) return nameFor(canvas);
  }
  return '';
}

const MIN_BLIND_WIDTH = 40, MIN_BLIND_HEIGHT = 10; // CSS pixels: what is smaller has no room for a text
const MAX_BLIND = 20000; // elements

// blind counts what of a document no look reaches, as far as it is rendered and large enough to hold a text: canvases, pictures, videos, and
// custom elements without an open shadow root, which may have a closed one. scrolls says whether anything may come where it is scrolled; was, that
// something that css selects was seen before the newest act and taken away since.
OPS.blind = (doc, scope, { css }) => withRules(() => {
  const out = css && wasTaken(css) ? { was: 1 } : {}, open = [doc];
  for (let n = 0; open.length; ) {
    for (const el of elementsOf(open.pop())) {
      if (++n > MAX_BLIND) return { ...out, scrolls: 1 };
      const shadow = shadowRootOf(el), kind = blindKind(el, shadow);
      if (shadow) open.push(shadow);
      if (kind === 'frame' || (mayOverflow(el) && waysOf(el).length && (mayGoOn(el) || unrenderedWays(el).length))) out.scrolls = 1;
      if (!kind) continue;
      const r = boxOf(el);
      if (r.width >= MIN_BLIND_WIDTH && r.height >= MIN_BLIND_HEIGHT && !unrendered(el)) out[kind] = (out[kind] || 0) + 1;
    }
  }
  return out;
});

function blindKind(el, shadow) {
  const tag = tagOf(el);
  if (!isHTML(el)) return tag === 'image' ? 'picture' : '';
  if (tag.includes('-')) return !shadow && matches(el, ':defined') ? 'closed' : '';
  if (tag === 'iframe') return isUnloaded(el) ? 'frame' : '';
  return { canvas: 'canvas', img: 'picture', video: 'video', object: 'picture', embed: 'picture' }[tag] || '';
}

// isUnloaded recognises a frame that is loaded only when it is scrolled to.
function isUnloaded(el) {
  const inner = (attr(el, 'loading') || '').toLowerCase() === 'lazy' && hasAttr(el, 'src') ? innerDocument(el) : null;
  return !!inner && addressOf(inner) === 'about:blank';
}

const addressOf = getter(Document.prototype, 'URL');
