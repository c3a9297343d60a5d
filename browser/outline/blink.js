// The blink test: what is there is hidden and shown again, and pictures of the three moments show whether it is visible. Of a text it
// is the ink alone, of anything else the element. The style sheets go into the tree that holds the element; nothing else is touched.

let blinking = null; // {undo: [], hide: [], shown: [], of: []}; of: the elements in doubt

// blink begins: it scrolls to the first thing that is in doubt, stops transitions, and answers where that and all others are that are in
// the window with it and don't overlap it. spans are stretches of pieces [piece, from, to]; items are numbers of elements.
OPS.blink = (doc, scope, { look, spans = [], items = [] }) => {
  endBlink();
  const kept = keep(look, () => ({ elements: [], pieces: [] }));
  rules = newRules();
  renew(kept, doc, spans.map(([piece]) => piece));
  const wanted = [...spans.map(([p, from, to]) => ({ piece: kept.pieces[p], from, to })), ...items.map((i) => ({ element: kept.elements[i] }))];
  blinking = { undo: [], hide: [], shown: [], of: [] };
  const boxes = [];
  for (const [n, want] of wanted.entries()) {
    const el = want.element || (want.piece && want.piece.el);
    if (!el || !isConnected(el)) {
      rules = null;
      return { gone: true };
    }
    const own = !!(want.piece && want.piece.node), places = want.piece ? placesOf(want.piece, want.from, want.to) : [() => boxOf(el)];
    if (!boxes.length && places.length) bring(el, own, places[0], true);
    const here = placesInView(el, own, places);
    if (!here.length || boxes.some((b) => here.some((h) => overlap(b, h)))) continue;
    boxes.push(...here.map((h) => ({ n, ...h })));
    blinking.of.push(el);
    blinking.hide.push(() => inkless(want, el));
    blinking.undo.push(addSheet(treeRoot(el), '*, ::before, ::after { transition: none !important; } ' + (want.piece ? linesKept(want.piece, el) : '')));
  }
  const { scrolled } = rules;
  rules = null;
  blinking.undo.push(() => {
    for (const [box, [left, top]] of [...scrolled].reverse()) scrollBox(box, left, top);
  });
  const win = outermostWindow(doc);
  return { boxes, top: !aboveIsForeign(doc), x: win.scrollX, y: win.scrollY };
};

// placesInView are the visible parts of places, in the outermost document that can be read.
function placesInView(el, own, places) {
  const out = [];
  for (const place of places) {
    const r = place();
    if (!r) continue;
    const part = visiblePart(el, own, r);
    if (part.why) return [];
    const o = outermost(el, part.r);
    out.push({ x: o.left, y: o.top, w: o.right - o.left, h: o.bottom - o.top });
  }
  return out;
}

const overlap = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

// outermost turns a place into one of the outermost document that can be read.
function outermost(el, r) {
  let place = r;
  for (let frame = outerFrame(ownerDocument(el)); frame; frame = outerFrame(ownerDocument(frame))) place = throughFrame(frame, place);
  return place;
}

function outermostWindow(doc) {
  let d = doc;
  for (let frame = outerFrame(d); frame; frame = outerFrame(d)) d = ownerDocument(frame);
  return windowOf(d);
}

const INKLESS = '-webkit-text-fill-color: transparent !important; -webkit-text-stroke-color: transparent !important; text-shadow: none !important;';

// linesKept gives lines and marks at a text, which are no ink of its letters, one colour in all three pictures: they go by the ink where they
// declare none.
function linesKept(piece, el) {
  const style = viewOf(el).getComputedStyle(el, piece.which), kept = (color) => (color === style.color ? style.webkitTextFillColor : color);
  return pathWithin(el) + (piece.which || '') + ' { text-decoration-color: ' + kept(style.textDecorationColor) + ' !important; text-emphasis-color: ' + kept(style.textEmphasisColor) + ' !important; }';
}

// inkless lays the sheet that takes one thing away, and returns how it is given back.
function inkless({ piece }, el) {
  const root = treeRoot(el), path = pathWithin(el);
  if (!piece) return addSheet(root, path + ' { opacity: 0 !important; }');
  const marker = piece.which === '::marker' ? 'color: transparent !important; ' : ''; // it takes no other
  if (piece.which) return addSheet(root, path + piece.which + ' { ' + marker + INKLESS + ' }');
  const style = viewOf(el).getComputedStyle(el);
  const drawn = isSVG(el) ? ' fill: transparent !important; stroke: transparent !important;' : '';
  const clipped = (style.webkitBackgroundClip || '').includes('text') ? ' background-image: none !important; background-color: transparent !important;' : '';
  const parts = piece.node ? ['::first-line', '::first-letter', ...(isSelected(piece.node) ? ['::selection'] : []), ...highlightsOn(piece.node).map((name) => '::highlight(' + CSS.escape(name) + ')')] : [];
  const others = parts.map((part) => path + part + ' { color: transparent !important; ' + INKLESS + ' } ').join('');
  return addSheet(root, others + path + ' { ' + INKLESS + drawn + clipped + ' }' + (piece.hint ? path + '::placeholder { ' + INKLESS + ' }' : ''));
}

// pathWithin is a CSS selector of one element in its own tree, by its place alone.
function pathWithin(el) {
  const steps = [];
  for (let node = el; node && nodeType(node) === 1; node = parentNode(node)) {
    let place = 1;
    for (let e = prevElement(node); e; e = prevElement(e)) place++;
    const parent = parentNode(node);
    steps.unshift(parent && nodeType(parent) === 9 ? ':root' : ':nth-child(' + place + ')');
    if (parent && nodeType(parent) === 11) steps.unshift(':host');
  }
  const specific = ':not(#\\0)'.repeat(6); // outweighs what the page declares as important
  return steps.join(' > ') + specific;
}

// hide takes away what is in doubt, unless the page has put other elements in its place; show gives it back.
OPS.hide = () => {
  if (!blinking) return {};
  if (!blinking.of.every(isConnected)) return { gone: true };
  OPS.show();
  blinking.shown = blinking.hide.map((lay) => lay());
  return {};
};

OPS.show = () => {
  for (const undo of (blinking && blinking.shown) || []) undo();
  if (blinking) blinking.shown = [];
  return {};
};

function endBlink() {
  OPS.show();
  for (const undo of blinking ? blinking.undo.reverse() : []) {
    try {
      undo();
    } catch {} // its document is gone
  }
  blinking = null;
}

// unblink ends the test: the page is as it was.
OPS.unblink = () => {
  endBlink();
  return {};
};
