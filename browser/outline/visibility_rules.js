// What is painted of an element, judged by styles and places: the cheap rules of what a person sees. They have three answers: seen, not seen
// with the reason, and doubt, which pictures decide (blink.js).

const OPACITY_FLOOR = 0.05; // below it nothing can be made out
const CONTRAST_SURE = 1.3; // of ink against ground; what has less is looked at in pictures
const MIN_TEXT_HEIGHT = 4; // CSS pixels of a letter's box; smaller ones can't be read

// rules holds what one question has worked out so far; null between questions.
let rules = null;
const newRules = () => ({ chains: new Map(), styles: new Map(), scrolled: new Map(), veils: new Map(), visited: new Map(), sheets: [], open: new Set(), points: [], pseudoAt: null });

const frameDocument = getter(HTMLIFrameElement.prototype, 'contentDocument');
const clientLeftOf = getter(Element.prototype, 'clientLeft');
const clientTopOf = getter(Element.prototype, 'clientTop');
const clientWidthOf = getter(Element.prototype, 'clientWidth');
const clientHeightOf = getter(Element.prototype, 'clientHeight');
const scrollWidthOf = getter(Element.prototype, 'scrollWidth');
const scrollHeightOf = getter(Element.prototype, 'scrollHeight');
const laidWidth = getter(HTMLElement.prototype, 'offsetWidth');
const laidHeight = getter(HTMLElement.prototype, 'offsetHeight');
const bodyOf = getter(Document.prototype, 'body');
const viewOf = (el) => windowOf(ownerDocument(el));

// innerDocument returns the document in a frame of the same origin, or null.
function innerDocument(el) {
  try {
    return tagOf(el) === 'iframe' ? frameDocument(el) : null;
  } catch {
    return null;
  }
}

// outerFrame returns the element of the frame that a document stands in; null for the outermost that may be read.
function outerFrame(doc) {
  try {
    return windowOf(doc).frameElement || null;
  } catch {
    return null;
  }
}

// drawnParent climbs the drawn tree, out of frames of the same origin too.
const drawnParent = (el) => flatParent(el) || outerFrame(ownerDocument(el));

function styleNow(el) {
  let style = rules.styles.get(el);
  if (!style) rules.styles.set(el, (style = viewOf(el).getComputedStyle(el)));
  return style;
}

// chainOf returns what an element's ancestors and its own style do to all that it paints.
function chainOf(el) {
  const path = [];
  let chain = null;
  for (let node = el; node && !(chain = rules.chains.get(node)); node = drawnParent(node)) path.push(node);
  chain ||= { opacity: 1, why: '', doubt: '', line: false, turned: false };
  for (const node of path.reverse()) rules.chains.set(node, (chain = linkOf(node, chain)));
  return chain;
}

function linkOf(el, above) {
  const style = styleNow(el);
  if (style.display === 'contents') return above;
  const link = { opacity: above.opacity * Number(style.opacity) * opacityOfContent(el), why: above.why, doubt: above.doubt, line: above.line || lineOver(style), turned: above.turned || isTurned(style) };
  if (!link.why && style.display === 'none') link.why = 'not rendered';
  else if (!link.why && link.opacity < OPACITY_FLOOR) link.why = 'transparent';
  else if (!link.why && cutAway(style)) link.why = 'clipped';
  if (!link.doubt) link.doubt = doubtOf(style);
  return link;
}

// opacityOfContent returns that of what a browser puts around the content of details.
function opacityOfContent(el) {
  const around = flatParent(el);
  return around && tagOf(around) === 'details' && tagOf(el) !== 'summary' ? Number(viewOf(around).getComputedStyle(around, '::details-content').opacity) : 1;
}

// isTurned reports whether a box does not lie along the axes.
function isTurned(style) {
  const [, b = 0, c = 0] = (/^matrix\(([^)]*)\)$/.exec(style.transform) || ['', ''])[1].split(',').map(Number);
  return Math.abs(b) > 0.01 || Math.abs(c) > 0.01 || style.transform.startsWith('matrix3d') || style.rotate !== 'none';
}

// doubtOf names a style whose effect only a picture shows.
function doubtOf(style) {
  if (style.filter !== 'none') return 'filter';
  if (style.clipPath !== 'none') return 'clip-path';
  if (style.mixBlendMode !== 'normal') return 'blended';
  if ((style.maskImage || style.webkitMaskImage || 'none') !== 'none') return 'mask';
  if (style.clip !== 'auto' && style.position !== 'static') return 'clip';
  if (style.backfaceVisibility === 'hidden') return 'backface';
  return '';
}

// unrendered returns why an element paints nothing at all, by its styles alone; '' when they don't keep it from painting.
function unrendered(el) {
  let boxed = el;
  while (boxed && styleNow(boxed).display === 'contents') boxed = drawnParent(boxed);
  if (boxed && !rendered(boxed)) return 'not rendered';
  if (styleNow(el).visibility !== 'visible') return 'hidden';
  for (let frame = outerFrame(ownerDocument(el)); frame; frame = outerFrame(ownerDocument(frame))) {
    if (!rendered(frame)) return 'not rendered';
    if (styleNow(frame).visibility !== 'visible') return 'hidden';
  }
  return chainOf(el).why;
}

// skipsContent reports whether an element paints nothing of what it holds, its texts too.
const skipsContent = (el) => styleNow(el).contentVisibility === 'hidden';

// edges makes a rectangle that can be cut.
const edges = (r) => ({ left: r.left, top: r.top, right: r.right, bottom: r.bottom });
const empty = (r) => r.right - r.left < 0.5 || r.bottom - r.top < 0.5;
const within = (r, by) => ({ left: Math.max(r.left, by.left), top: Math.max(r.top, by.top), right: Math.min(r.right, by.right), bottom: Math.min(r.bottom, by.bottom) });

// containsFixed reports whether a box holds what is fixed in it, as the viewport does.
const containsFixed = (s) => s.transform !== 'none' || s.perspective !== 'none' || s.filter !== 'none' || /transform|perspective|filter/.test(s.willChange) || /paint|layout|strict|content/.test(s.contain);

// clippers lists the boxes that cut off what overflows them, innermost first, for what stands in el. own: el is one of them, if it clips.
function clippers(el, own) {
  const out = [];
  let position = own ? 'static' : styleNow(el).position;
  for (let box = own ? el : flatParent(el); box; box = flatParent(box)) {
    const style = styleNow(box);
    if (style.display === 'contents') continue;
    const holds = containsFixed(style);
    if ((position === 'fixed' && !holds) || (position === 'absolute' && style.position === 'static' && !holds)) continue;
    position = style.position;
    const clips = style.overflowX !== 'visible' || style.overflowY !== 'visible';
    if (clips && style.display !== 'inline' && !isViewport(box)) out.push({ box, style });
  }
  return { boxes: out, fixed: position === 'fixed' };
}

// isViewport reports whether an element's overflow is the viewport's: the root's, or the body's where the root has none.
function isViewport(el) {
  const doc = ownerDocument(el), root = rootElement(doc);
  if (el === root) return true;
  if (tagOf(el) !== 'body' || parentNode(el) !== root) return false;
  const style = styleNow(root);
  return style.overflowX === 'visible' && style.overflowY === 'visible';
}

// windowIn returns the box in which a clipping element shows what is in it.
function windowIn({ box, style }) {
  const r = boxOf(box), left = r.left + clientLeftOf(box), top = r.top + clientTopOf(box);
  const all = edges(r);
  if (style.overflowX !== 'visible') {
    all.left = left;
    all.right = clientWidthOf(box) ? left + clientWidthOf(box) * scaleOf(r.width, isHTML(box) ? laidWidth(box) : 0) : all.right;
  }
  if (style.overflowY !== 'visible') {
    all.top = top;
    all.bottom = clientHeightOf(box) ? top + clientHeightOf(box) * scaleOf(r.height, isHTML(box) ? laidHeight(box) : 0) : all.bottom;
  }
  if (style.overflowX === 'visible') [all.left, all.right] = [-1e9, 1e9];
  if (style.overflowY === 'visible') [all.top, all.bottom] = [-1e9, 1e9];
  return all;
}
const scaleOf = (painted, laid) => (laid > 0 && painted > 0 ? painted / laid : 1);

// viewportBox returns what a document's window shows.
const viewportBox = (win) => ({ left: 0, top: 0, right: win.innerWidth, bottom: win.innerHeight });

// remember keeps where an element was scrolled to, once.
function remember(box) {
  if (!rules.scrolled.has(box)) rules.scrolled.set(box, [scrollLeftOf(box), scrollTopOf(box)]);
}

function scrollBy(box, x, y) {
  settlePseudos();
  remember(box);
  scrollBox(box, scrollLeftOf(box) + x, scrollTopOf(box) + y);
}

// shift returns how far a box must scroll for a stretch to be in its window: to a quarter of it, so that what follows is in it too and nothing
// that sticks to an edge lies over it. again: although it is in the window.
function shift(low, high, from, to, again) {
  if (low >= from && high <= to && !again) return 0;
  return low - from - Math.max(0, Math.min(0.25 * (to - from), to - from - (high - low)));
}

// bring scrolls as a person could, so that what rectOf measures is in view.
function bring(el, own, rectOf, again) {
  const { boxes, fixed } = clippers(el, own);
  for (const clip of boxes) {
    const x = /auto|scroll/.test(clip.style.overflowX) && scrollWidthOf(clip.box) > clientWidthOf(clip.box);
    const y = /auto|scroll/.test(clip.style.overflowY) && scrollHeightOf(clip.box) > clientHeightOf(clip.box);
    if (x || y) scrollTo(clip.box, rectOf(), windowIn(clip), x, y, again);
  }
  const doc = ownerDocument(el), win = windowOf(doc), scroller = scrollerOf(doc);
  if (!fixed && scroller && win) scrollTo(scroller, rectOf(), viewportBox(win), ...viewportScrolls(doc), again);
  const frame = outerFrame(doc);
  if (frame) bring(frame, false, () => throughFrame(frame, rectOf()), again);
}

function scrollTo(box, r, view, x, y, again) {
  const dx = x ? shift(r.left, r.right, view.left, view.right, false) : 0, dy = y ? shift(r.top, r.bottom, view.top, view.bottom, again) : 0;
  if (Math.abs(dx) >= 1 || Math.abs(dy) >= 1) scrollBy(box, dx, dy);
}

// viewportScrolls reports whether a person can scroll the window, across and down.
function viewportScrolls(doc) {
  const root = styleNow(rootElement(doc)), body = bodyOf(doc) ? styleNow(bodyOf(doc)) : root;
  const of = root.overflowX === 'visible' && root.overflowY === 'visible' ? body : root;
  const may = (overflow) => overflow !== 'hidden' && overflow !== 'clip';
  return [may(of.overflowX), may(of.overflowY)];
}

// throughFrame turns a place in a frame's document into one of the document that the frame stands in.
function throughFrame(frame, r) {
  const box = boxOf(frame), style = styleNow(frame);
  const x = box.left + clientLeftOf(frame) + (Number.parseFloat(style.paddingLeft) || 0), y = box.top + clientTopOf(frame) + (Number.parseFloat(style.paddingTop) || 0);
  return { left: r.left + x, top: r.top + y, right: r.right + x, bottom: r.bottom + y };
}

// visiblePart cuts a rectangle to what is in view of it, in its own document and in those around it. why says what cut it all off.
function visiblePart(el, own, rect) {
  let r = edges(rect);
  for (const clip of clippers(el, own).boxes) {
    r = within(r, windowIn(clip));
    if (empty(r)) return { r, why: 'clipped' };
  }
  const doc = ownerDocument(el);
  r = within(r, viewportBox(windowOf(doc)));
  if (empty(r)) return { r, why: 'off-screen' };
  const frame = outerFrame(doc);
  if (!frame) return { r, why: '' };
  const outer = visiblePart(frame, false, throughFrame(frame, r));
  return { r, why: outer.why };
}

// leave puts everything back to where it was scrolled to.
function leave() {
  for (const [box, [left, top]] of [...rules.scrolled].reverse()) scrollBox(box, left, top);
  rules.scrolled.clear();
}

// addSheet lays a constructed style sheet over a tree. No observer of the page notices one.
function addSheet(root, css) {
  const win = windowOf(nodeType(root) === 9 ? root : ownerDocument(root));
  const sheet = new win.CSSStyleSheet(), list = adopted(root);
  sheet.replaceSync(css);
  list.set.call(root, [...list.get.call(root), sheet]);
  return () => list.set.call(root, [...list.get.call(root)].filter((s) => s !== sheet));
}

// openToHits lets every element of a tree and of those around it be hit, also what lets the pointer through. closeToHits undoes it.
function openToHits(el) {
  for (let node = el; node; ) {
    const root = treeRoot(node);
    if (!rules.open.has(root) && (nodeType(root) === 9 || nodeType(root) === 11)) {
      rules.open.add(root);
      rules.sheets.push(addSheet(root, '*, ::before, ::after { pointer-events: auto !important; }'));
    }
    node = nodeType(root) === 11 ? hostOf(root) : nodeType(root) === 9 ? outerFrame(root) : null;
  }
}

function closeToHits() {
  for (const undo of rules.sheets.reverse()) undo();
  rules.sheets = [];
  rules.open.clear();
}

// stackAt lists the elements at a point, topmost first, as the tree of el sees them and then as the trees around it do.
function stackAt(el, x, y) {
  const out = [];
  for (let node = el; node; ) {
    const root = treeRoot(node), type = nodeType(root);
    if (type !== 9 && type !== 11) break;
    const list = [...(type === 9 ? Document : ShadowRoot).prototype.elementsFromPoint.call(root, x, y)];
    const from = node === el ? 0 : Math.max(0, list.indexOf(node));
    for (const e of list.slice(from)) if (!out.includes(e)) out.push(e);
    node = type === 11 ? hostOf(root) : null;
  }
  return out;
}

const REPLACED = new Set(['img', 'canvas', 'video', 'iframe', 'frame', 'embed', 'object', 'input', 'textarea', 'select', 'button', 'svg', 'progress', 'meter', 'audio', 'picture', 'path', 'rect', 'circle', 'ellipse', 'image', 'polygon', 'line', 'polyline', 'use', 'text']);

// paints reports whether an element draws anything of its own: a ground, a border, a picture or words.
function paints(el) {
  const style = styleNow(el);
  if (chainOf(el).opacity < OPACITY_FLOOR) return false;
  if (['::before', '::after'].some((which) => isDrawn(viewOf(el).getComputedStyle(el, which)))) return true;
  if (style.visibility !== 'visible') return false;
  if (REPLACED.has(tagOf(el)) || style.content !== 'normal' || paintsBox(style)) return true;
  for (let node = firstChild(el); node; node = nextSibling(node)) if (nodeType(node) === 3 && /\S/.test(nodeValue(node))) return true;
  return false;
}

const colors = new Map();
let painter = null;

// colorOf reads a computed colour as red, green, blue from 0 to 255 and alpha from 0 to 1.
function colorOf(text) {
  let color = colors.get(text);
  if (color) return color;
  const plain = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
  if (plain) color = [Number(plain[1]), Number(plain[2]), Number(plain[3]), plain[4] === undefined ? 1 : Number(plain[4])];
  else {
    painter ||= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    painter.clearRect(0, 0, 1, 1);
    painter.fillStyle = 'rgba(0,0,0,0)';
    painter.fillStyle = text;
    painter.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = painter.getImageData(0, 0, 1, 1).data;
    color = [r, g, b, a / 255];
  }
  if (colors.size > 2000) colors.clear();
  colors.set(text, color);
  return color;
}

const over = (top, alpha, ground) => [0, 1, 2].map((i) => top[i] * alpha + ground[i] * (1 - alpha));

// contrast returns that of WCAG 2.2: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
function contrast(a, b) {
  const light = (c) => {
    const [r, g, bl] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [x, y] = [light(a), light(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

// groundAt returns the colour under a point, from the elements that are there, topmost first; null where a picture is part of it, or anything else that
// is no plain colour.
function groundAt(stack, x, y, doc) {
  const layers = [];
  for (const el of withRows(stack)) {
    const style = styleNow(el);
    if (style.backgroundImage !== 'none' || (REPLACED.has(tagOf(el)) && !['button', 'input', 'select', 'textarea'].includes(tagOf(el)))) return null;
    askPseudo(el, x, y, false);
    if (style.visibility !== 'visible') continue;
    if (mixed(el, style, x, y)) return null;
    const color = colorOf(style.backgroundColor);
    const alpha = color[3] * chainOf(el).opacity;
    if (alpha <= 0.004) continue;
    const at = reaches(el, style, x, y);
    if (at === null) return null;
    if (at) layers.push([color, alpha]);
    if (at && alpha > 0.996) break;
  }
  let ground = layers.length && layers.at(-1)[1] > 0.996 ? [0, 0, 0] : baseAt(doc, x, y);
  if (!ground) return null;
  for (const [color, alpha] of layers.reverse()) ground = over(color, alpha, ground);
  return ground;
}

// edge answers how far the content of a frame lies within its box.
OPS.edge = (doc, scope) => {
  const style = getComputedStyle(scope);
  return { X: clientLeftOf(scope) + (Number.parseFloat(style.paddingLeft) || 0), Y: clientTopOf(scope) + (Number.parseFloat(style.paddingTop) || 0) };
};
