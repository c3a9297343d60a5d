// What a page brings in where it is scrolled to: where that is, and whether it has come. Nothing here decides what is seen.

const KEPT_HEIGHT = 4; // CSS pixels: what is lower keeps no place for anything
const LOW = 0.7, HIGH = 0.1; // shares of the window: what begins below the one, or ends above the other, may wait to be scrolled to
const COMES_WITHIN = 1000; // ms: timers that are due later bring nothing in for us
const STANDS = 100; // ms, some frames: what scripts move looks otherwise by then
const MAX_WORDS = 200; // texts of the document that are looked at for the words of one that is not found

// comesLater returns the place that must be in the window for a page to bring in what is not seen of el: the element that keeps it, and how to
// measure it. null where there is none.
function comesLater(el) {
  const found = placeInFlow(el);
  if (!found || clippers(found.el, false).fixed) return null;
  const r = found.rect(), height = windowOf(ownerDocument(el)).innerHeight;
  return r.top > LOW * height || r.bottom < HIGH * height || visiblePart(found.el, false, r).why ? found : null;
}

// placeInFlow climbs to what keeps the place of an element: out of what is not rendered, moved away or closed. Only a place in which nothing else is
// seen waits for it, unless its own box is there. How high it is what was moved tells.
function placeInFlow(el) {
  const doc = ownerDocument(el), body = bodyOf(doc);
  let place = el, keeps = true, moved = null;
  for (let up = el; up && up !== body; up = flatParent(up)) {
    const style = styleNow(up);
    if (style.display === 'contents') continue;
    if (!rendered(up) || isShut(up, style)) [place, keeps, moved] = [flatParent(up), false, null];
    else if (isMovedAway(style)) [place, keeps, moved] = [flatParent(up), isHTML(up) && laidHeight(up) >= KEPT_HEIGHT, up];
  }
  while (place && boxOf(place).height < KEPT_HEIGHT) place = flatParent(place);
  if (!place || (!moved && (place === body || place === rootElement(doc))) || !(keeps || isBlank(place))) return null;
  return { el: place, rect: () => (moved ? heightOf(moved, boxOf(place)) : boxOf(place)) };
}

const heightOf = (moved, r) => {
  const { top, bottom } = boxOf(moved);
  return { left: r.left, right: r.right, top: Math.max(top, r.top), bottom: Math.max(top, r.top, Math.min(bottom, r.bottom)) };
};

const isShut = (el, style) => (style.overflowX !== 'visible' || style.overflowY !== 'visible') && isHTML(el) && (laidHeight(el) < 1 || laidWidth(el) < 1);
const isMovedAway = (style) => style.transform !== 'none' || style.translate !== 'none' || style.scale !== 'none';

// isBlank reports whether nothing is drawn in an element.
function isBlank(el) {
  const open = (e) => !unrendered(e) && !clippers(e, true).boxes.some(({ box, style }) => isShut(box, style));
  return !piecesOf(el, false).some((piece) => open(piece.el)) && ![...allIn(el, '*')].slice(0, MAX_PARTS).some((e) => (drawsItself(e) || REPLACED.has(tagOf(e))) && open(e));
}

let retreat = [];
let arrival = null; // {el, like, since, until}: what was scrolled to, what it is like since when, and until when it may begin to come

// reveal scrolls to where the page may bring in what is not seen of an element of a look, of one of its pieces, or of what bears a name that was not found.
// It answers whether it had to scroll. OPS.retreat scrolls back.
OPS.reveal = (doc, scope, { look, piece, name }) => {
  OPS.retreat();
  const kept = keep(look, () => ({ elements: [], pieces: [] }));
  rules = newRules();
  const el = name ? namedLater(doc, name) : piece >= 0 ? kept.pieces[piece] && kept.pieces[piece].el : kept.elements[-1 - piece];
  const place = el && isConnected(el) ? comesLater(el) : null;
  if (place) bring(place.el, false, place.rect, true);
  retreat = [...rules.scrolled].reverse();
  rules = null;
  arrival = { el, like: '', since: 0, until: performance.now() + COMES_WITHIN };
  return { moved: retreat.length > 0 };
};

// arriving answers whether what was scrolled to is still coming in: an animation is at work on it, its look changes, or a timer of the page is due.
OPS.arriving = (doc) => withRules(() => {
  if (!arrival || !arrival.el || !isConnected(arrival.el)) return { ending: false };
  const now = performance.now(), like = likenessOf(arrival.el);
  if (like !== arrival.like) Object.assign(arrival, { like, since: now });
  return { ending: endingAt(arrival.el) || now - arrival.since < STANDS || (now < arrival.until && timersWithin(doc, COMES_WITHIN)) };
});

function likenessOf(el) {
  const r = boxOf(el), out = [rendered(el), styleNow(el).visibility, styleNow(el).color, r.left, r.top, r.width, r.height];
  for (let up = el; up; up = flatParent(up)) out.push(styleNow(up).opacity, styleNow(up).clipPath, styleNow(up).filter);
  return out.join(' ');
}

OPS.retreat = () => {
  for (const [box, [left, top]] of retreat) scrollBox(box, left, top);
  retreat = [];
  arrival = null;
  return {};
};

// later answers whether the document holds words that nobody sees yet, and that it may bring in where it is scrolled to.
OPS.later = (doc, scope, { name }) => withRules(() => ({ later: !!namedLater(doc, name) }));

// namedLater returns the element of a text, or with a name of readers, that holds the words and may be brought in.
function namedLater(doc, name) {
  const words = unspaced(name.replace(/…$/, '')), root = bodyOf(doc);
  if (!words || !root) return null;
  let n = 0;
  const fits = (el, text) => unspaced(text).includes(words) && n++ < MAX_WORDS && !IGNORED.has(tagOf(el)) && notShown(el) && comesLater(el);
  for (const el of allIn(root, '[aria-label], [alt], [title], [placeholder], [value]')) {
    if (['aria-label', 'alt', 'title', 'placeholder', 'value'].some((said) => fits(el, attr(el, said) || ''))) return el;
  }
  if (!unspaced(textContent(root)).includes(words)) return null;
  return [...allIn(root, '*')].find((el) => {
    const inner = childrenOf(el).some((child) => nodeType(child) === 1 && unspaced(textContent(child)).includes(words));
    return !inner && fits(el, textContent(el));
  }) || null;
}

const notShown = (el) => !!unrendered(el);
