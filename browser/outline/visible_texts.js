// What a person sees: texts as they are painted, and whether they, or elements, can be seen. See docs/verdict.md.

const MAX_PIECES = 40000;
const MAX_LETTERS = 240; // of a text whose letters are looked at one by one; of a longer one it is the words
const MAX_PARTS = 200; // of an element, until something of it is found to be seen
const NO_BREAK = 0, SOFT_BREAK = 1, BREAK = 2;

const selectedOf = getter(HTMLOptionElement.prototype, 'selected');
const isConnected = getter(Node.prototype, 'isConnected');
const naturalWidth = getter(HTMLImageElement.prototype, 'naturalWidth');
const seenAsks = new Map(); // what one question after the other is about, by the name of the look
const MAX_ASKS = 4;

// keep remembers what a look is about, for its next question. Looks that are made together have one name, and a part of it each.
function keep(look, made) {
  const [name] = look.split('/');
  if (!seenAsks.has(name) && seenAsks.size >= MAX_ASKS) seenAsks.delete(seenAsks.keys().next().value);
  if (!seenAsks.has(name)) seenAsks.set(name, new Map());
  const looks = seenAsks.get(name);
  if (!looks.has(look)) looks.set(look, made());
  return looks.get(look);
}

// collect gathers the elements of a look; each is one scope.
OPS.collect = (doc, scope, { look }) => {
  const kept = keep(look, () => ({ elements: [], pieces: [] }));
  if (scope && !kept.elements.length && treeRoot(scope) === doc) kept.path = pathWithin(scope);
  if (scope) kept.elements.push(scope);
  return {};
};

// lookedAt returns what a look is at: the one element that was collected, or the document. A page may put a like element that says the same
// in its place meanwhile, again and again: then it is that one.
function lookedAt(kept, doc) {
  const el = kept.elements[0];
  if (!el) return bodyOf(doc) || rootElement(doc);
  if (isConnected(el) || !kept.path) return el;
  const now = Document.prototype.querySelector.call(doc, kept.path);
  return now && tagOf(now) === tagOf(el) && textContent(now) === textContent(el) ? now : el;
}

// renew takes the pieces that are asked for as they stand now, where the page has written them anew and they say the same: a look takes
// several questions, and on a busy machine a page may do that between any two of them.
function renew(kept, doc, asked) {
  const stands = (piece) => piece && isConnected(piece.el) && (!piece.node || isConnected(piece.node));
  if (asked.every((i) => stands(kept.pieces[i]))) return;
  const root = lookedAt(kept, doc);
  if (!root || !isConnected(root)) return;
  const now = piecesOf(root, kept.all);
  if (now.length === kept.pieces.length && asked.every((i) => kept.pieces[i] && now[i].text === kept.pieces[i].text)) kept.pieces = now;
}

// withRules runs a question, and leaves the page as it was.
function withRules(question) {
  rules = newRules();
  try {
    return question();
  } finally {
    closeToHits();
    leave();
    rules = null;
  }
}

// PAINTED_INPUT lists the kinds of input that show their value as text.
const PAINTED_INPUT = new Set(['text', 'search', 'tel', 'email', 'url', 'number', 'date', 'time', 'month', 'week', 'datetime-local', 'submit', 'button', 'reset']);

// transformed returns a text as text-transform paints it.
function transformed(text, how, lang) {
  if (how === 'uppercase') return text.toLocaleUpperCase(lang || undefined);
  if (how === 'lowercase') return text.toLocaleLowerCase(lang || undefined);
  if (how === 'capitalize') return text.replace(/(^|[^\p{L}\p{N}\p{M}'’])(\p{L})/gu, (_, before, letter) => before + letter.toLocaleUpperCase(lang || undefined));
  return text;
}

// piecesOf lists the texts of a subtree in reading order, up to most, with what stands between them. all: those that are not rendered too.
function piecesOf(scope, all, most = MAX_PIECES) {
  const out = [];
  const walk = { out, gap: BREAK, all, most, flex: null, capped: false };
  addPieces(scope, walk);
  return out;
}

const breaks = (walk, gap) => (walk.gap = Math.max(walk.gap, gap));

function addPieces(el, walk) {
  const tag = tagOf(el);
  if (IGNORED.has(tag) || tag === 'head' || tag === 'title' || walk.out.length >= walk.most) return;
  const style = styleNow(el);
  if (!walk.all && style.display === 'none') return;
  if (tag === 'br') return breaks(walk, BREAK);
  const inline = INLINE.has(style.display) || style.display.startsWith('inline') || style.display === 'contents';
  const parent = flatParent(el), laid = parent ? styleNow(parent).display : '';
  const gap = inline ? SOFT_BREAK : /flex|grid/.test(laid) ? SOFT_BREAK : BREAK;
  const beside = !inline && gap === SOFT_BREAK; // whether it stands beside the one before is decided by its place
  if (beside) walk.flex = true;
  breaks(walk, gap);
  if (style.display === 'list-item') addMarker(el, style, walk);
  addPseudo(el, '::before', walk);
  const inner = innerDocument(el);
  if (inner && rootElement(inner)) addPieces(bodyOf(inner) || rootElement(inner), walk);
  else if (tag === 'select') addChosen(el, style, walk);
  else if (tag === 'input' || tag === 'textarea') addValue(el, tag, walk);
  else if (tag === 'img') addAlternative(el, style, walk);
  else if (!OPAQUE.has(tag)) {
    for (const child of flatChildren(el)) {
      if (nodeType(child) === 1) addPieces(child, walk);
      else addTextNode(child, el, style, walk);
    }
  }
  addPseudo(el, '::after', walk);
  if (beside) walk.flex = true;
  breaks(walk, gap);
}

function push(piece, walk) {
  piece.gap = walk.gap;
  if (walk.flex && piece.gap === SOFT_BREAK) piece.gap = besideLast(walk.out.at(-1), piece) ? SOFT_BREAK : BREAK;
  walk.flex = null;
  walk.gap = NO_BREAK;
  walk.out.push(piece);
}

// besideLast reports whether a text goes on where the last one ended, in the same line, as a person reads it.
function besideLast(last, piece) {
  if (!last || !last.node || !piece.node) return false;
  const a = rangeBoxes(last.node, Math.max(0, last.text.length - 1), last.text.length).at(-1), b = rangeBoxes(piece.node, 0, 1)[0];
  if (!a || !b) return false;
  const apart = Math.abs(b.left - a.right), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return high > 0.5 * Math.min(a.height, b.height) && apart < 0.35 * a.height;
}

function addTextNode(node, el, style, walk) {
  const text = nodeValue(node);
  if (!/\S/.test(text)) {
    if (text) breaks(walk, BREAK);
    return;
  }
  const shown = transformed(text, style.textTransform, attr(rootElement(ownerDocument(el)), 'lang') || '');
  push({ node, el, text, shown }, walk);
}

// addMarker adds what stands before an entry of a list, where its author wrote it: points and numbers that the browser makes are no text.
function addMarker(el, style, walk) {
  const type = /^"/.test(style.listStyleType) ? style.listStyleType : '';
  const said = viewOf(el).getComputedStyle(el, '::marker').content;
  if (type || /^"/.test(said)) addPseudo(el, '::marker', walk, /^"/.test(said) ? said : type);
}

// addAlternative adds the text that stands in place of a picture that did not come.
function addAlternative(el, style, walk) {
  const text = attr(el, 'alt') || '';
  if (isLoaded(el) && !naturalWidth(el) && /\S/.test(text)) push({ el, text, shown: transformed(text, style.textTransform, '') }, walk);
}

const isLoaded = getter(HTMLImageElement.prototype, 'complete');
const ALTERNATIVE = /\s\/\s(?:"(?:[^"\\]|\\.)*"\s*)+$/s; // of content: what is read out and not painted

function addPseudo(el, which, walk, said) {
  const style = viewOf(el).getComputedStyle(el, which);
  const content = (said || style.content).replace(ALTERNATIVE, '');
  if (!content || content === 'none' || content === 'normal' || content === '""' || style.display === 'none') return;
  const text = [...content.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map((m) => m[1].replace(/\\([0-9a-fA-F]{1,6}) ?/g, (_, hex) => String.fromCodePoint(parseInt(hex, 16) || 32)).replace(/\\(.)/gs, '$1')).join('');
  if (!/\S/.test(bare(text))) return;
  if (!style.display.startsWith('inline')) breaks(walk, BREAK);
  push({ el, which, text, shown: transformed(text, style.textTransform, '') }, walk);
}

function addChosen(el, style, walk) {
  const open = own(el, 'multiple') || Number(attr(el, 'size')) > 1;
  for (const option of [...own(el, 'options')]) {
    if (!open && !selectedOf(option)) continue;
    const text = own(option, 'label') || '';
    if (/\S/.test(text)) push({ el: open ? option : el, select: el, text, shown: transformed(text, style.textTransform, '') }, walk);
    breaks(walk, BREAK);
  }
}

function addValue(el, tag, walk) {
  const type = tag === 'textarea' ? 'text' : inputType(el);
  if (!PAINTED_INPUT.has(type) || secretField(el)) return;
  const value = String(own(el, 'value') || '') || ({ submit: 'Submit', reset: 'Reset' }[type] ?? '');
  if (/\S/.test(value)) push({ el, field: true, text: value, shown: transformed(value, styleNow(el).textTransform, '') }, walk);
  else if (/\S/.test(attr(el, 'placeholder') || '')) push({ el, field: true, hint: true, text: attr(el, 'placeholder'), shown: attr(el, 'placeholder') }, walk);
}

function rangeBoxes(node, from, to) {
  const range = newRange(ownerDocument(node)), length = nodeValue(node).length;
  range.setStart(node, Math.min(from, length));
  range.setEnd(node, Math.min(to, length));
  return [...Range.prototype.getClientRects.call(range)].filter((r) => r.width > 0 || r.height > 0);
}

// texts answers the pieces of a look: those of the one element that was collected, or of the document.
OPS.texts = (doc, scope, { look, all, apart }) => withRules(() => {
  const kept = keep(look, () => ({ elements: [], pieces: [] }));
  const root = lookedAt(kept, doc);
  kept.all = all;
  kept.pieces = root ? piecesOf(root, all) : [];
  const gone = root && !isConnected(root) ? 'gone' : ''; // the page has put another element in its place
  return {
    gone: !!gone, top: !aboveIsForeign(doc), drawn: drawnOn(doc), capped: kept.pieces.length >= MAX_PIECES,
    pieces: kept.pieces.map((p, i) => ({ t: p.text, s: p.shown === p.text ? undefined : p.shown, g: p.gap, a: (apart && p.gap === SOFT_BREAK && isApart(kept.pieces[i - 1], p)) || undefined, w: gone || unrendered(p.el) || (p.node && skipsContent(p.el) ? 'not rendered' : undefined), b: stoodPiece(p) || undefined, y: (p.field || p.select ? isTyped(p.select || p.el) : typedAround(p.el)) || undefined })),
  };
});

// aboveIsForeign reports whether a document stands in a frame whose outside can't be read.
function aboveIsForeign(doc) {
  for (let d = doc; d; ) {
    const frame = outerFrame(d);
    if (!frame) return windowOf(d) ? windowOf(d).parent !== windowOf(d) : false;
    d = ownerDocument(frame);
  }
  return false;
}

// judge answers whether stretches of pieces are seen: for each the state, and the reason where it is not sure to be seen.
OPS.judge = (doc, scope, { look, spans }) => withRules(() => {
  const kept = keep(look, () => ({ elements: [], pieces: [] }));
  renew(kept, doc, spans.map(([piece]) => piece));
  const states = spans.map(([piece, from, to]) => (kept.pieces[piece] ? laterOf(judgePiece(kept.pieces[piece], from, to), kept.pieces[piece].el) : unseen('gone')));
  return { states, ending: spans.some(([piece]) => kept.pieces[piece] && endingAt(kept.pieces[piece].el)) };
});

const sure = { state: 'seen', why: '' };
const unseen = (why) => ({ state: 'unseen', why });
const doubtful = (why, likely) => ({ state: 'doubt', why, likely }); // likely: unseen, as far as can be decided without pictures

// judgePiece reports whether a person sees a stretch of a piece: each of its letters, or of its words where it is long.
function judgePiece(piece, from, to, wordwise) {
  if (!piece || !isConnected(piece.el) || (piece.node && !isConnected(piece.node))) return unseen('gone');
  const why = unrendered(piece.el) || (piece.node && skipsContent(piece.el) ? 'not rendered' : '');
  if (why) return unseen(why);
  const places = placesOf(piece, from, to, wordwise);
  let worst = places.length ? sure : unseen('no size');
  rules.points = [];
  rules.pseudoAt = null;
  for (const place of places) {
    const r = place();
    if (!r || r.width < 0.3 || r.height < 0.3) return unseen('no size');
    if (r.height < MIN_TEXT_HEIGHT) return unseen('too small');
    const here = judgePlace(piece, place);
    if (here.state === 'unseen') return here;
    if (here.state === 'doubt' && worst.state === 'seen') worst = here;
  }
  if (worst.state === 'seen') settlePseudos();
  return worst.state === 'seen' && rules.pseudoAt ? doubtful('covered by a pseudo-element of ' + nameFor(rules.pseudoAt)) : worst;
}

// placesOf measures, on each call, where a stretch of a piece is painted: each of its letters or words, or the whole control.
function placesOf(piece, from, to, wordwise) {
  if (!piece.node) return [() => boxOf(tagOf(piece.el) === 'option' && !boxOf(piece.el).width ? piece.select : piece.el)];
  const text = nodeValue(piece.node), out = [];
  const exact = piece.shown.length === piece.text.length; // else a place in what is shown is none in the text
  const end = exact ? Math.min(to, text.length) : text.length, start = exact ? from : 0;
  const pattern = wordwise || end - start > MAX_LETTERS ? /\S+/gu : /\P{M}\p{M}*/gu;
  pattern.lastIndex = start;
  for (let m = pattern.exec(text); m && m.index < end; m = pattern.exec(text)) {
    const [first, last] = [m.index, Math.min(end, m.index + m[0].length)];
    if (bare(m[0])) out.push(() => rangeBoxes(piece.node, first, last)[0]);
  }
  return out;
}

// judgePlace reports whether what a piece paints at one place is seen there. What lies under something is scrolled from under it, if it can.
function judgePlace(piece, place) {
  const el = piece.el, own = !!piece.node;
  const shown = (r, part, share) => !part.why && part.r.right - part.r.left >= share * r.width && part.r.bottom - part.r.top >= share * r.height;
  let r = place(), part = visiblePart(el, own, r);
  if (!shown(r, part, 0.6)) {
    bring(el, own, place);
    r = place();
    part = visiblePart(el, own, r);
  }
  let here = part.why ? unseen(part.why) : shown(r, part, own ? 0.55 : 0.1) && !(own && behindEllipsis(piece, r)) ? judgeAt(piece, part.r) : unseen('clipped');
  if (here.state === 'doubt' && here.why.startsWith('covered')) {
    bring(el, own, place, true);
    r = place();
    part = visiblePart(el, own, r);
    if (shown(r, part, 0.6)) here = judgeAt(piece, part.r);
  }
  return here;
}

function judgeAt(piece, r) {
  if (piece.which) return judgePseudo(piece, r);
  const x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
  const cover = coverAt(piece.el, x, y);
  if (cover.state !== 'seen') return cover;
  const doubt = chainOf(piece.el).doubt;
  return doubt ? doubtful(doubt) : judgeInk(piece, cover.stack, x, y);
}

function judgePseudo(piece, r) {
  const style = viewOf(piece.el).getComputedStyle(piece.el, piece.which);
  if (style.visibility !== 'visible') return unseen('hidden');
  if (Number(style.opacity) < OPACITY_FLOOR) return unseen('transparent');
  if (Number.parseFloat(style.fontSize) < MIN_TEXT_HEIGHT) return unseen('too small');
  if (style.position === 'absolute' || style.position === 'fixed' || style.transform !== 'none' || Number.parseFloat(style.textIndent)) return doubtful('a pseudo-element of its own place');
  const x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
  const cover = coverAt(piece.el, x, y);
  if (cover.state !== 'seen') return cover;
  return judgeInk({ ...piece, style }, cover.stack, x, y);
}

// nameFor returns how a reason calls an element.
function nameFor(el) {
  const id = attr(el, 'id'), name = (attr(el, 'class') || '').trim().split(/\s+/)[0];
  return cut(tagOf(el) + (id ? '#' + id : name ? '.' + name : ''), 60);
}

// coverAt reports whether anything is painted over an element at a point, here and in the documents around.
function coverAt(of, x, y) {
  openToHits(of);
  let el = of;
  while (styleNow(el).display === 'contents' && flatParent(el)) el = flatParent(el);
  const stack = stackAt(el, x, y), at = stack.indexOf(el);
  if (at < 0) return doubtful(stack[0] && !contains(stack[0], el) ? 'covered by ' + nameFor(stack[0]) : 'not hit', !!stack[0] && opaque(stack[0]));
  for (const above of stack.slice(0, at)) {
    if (contains(above, el) || paints(above) || mayBeHost(above)) return doubtful('covered by ' + nameFor(above), opaque(above));
  }
  askPseudo(el, x, y, true);
  const veil = veilAt(el, x, y);
  if (veil) return doubtful(veil);
  const frame = outerFrame(ownerDocument(el));
  if (frame) {
    const p = throughFrame(frame, { left: x, top: y, right: x, bottom: y });
    const around = coverAt(frame, p.left, p.top);
    if (around.state !== 'seen') return around;
  }
  return { state: 'seen', why: '', stack: stack.slice(at) };
}

// opaque reports whether an element's own ground, or that of the document in it, hides what is below it.
const opaque = (el) => groundAlpha(el) * chainOf(el).opacity > 0.98 && !chainOf(el).doubt && styleNow(el).visibility === 'visible';

function groundAlpha(el) {
  const inner = innerDocument(el);
  const grounds = inner && rootElement(inner) ? [el, rootElement(inner), bodyOf(inner) || rootElement(inner)] : [el];
  return Math.max(...grounds.map((e) => colorOf(styleNow(e).backgroundColor)[3]));
}

// otherInk names what paints a text beside the style of its element: the first letter or line of its block, a highlight that a script has set, what the
// page declares for visited links, of which a browser tells no script the truth. '' where nothing does.
function otherInk(piece) {
  if (!piece.node) return '';
  let block = piece.el;
  while (/^(inline|contents)$/.test(styleNow(block).display) && flatParent(block)) block = flatParent(block);
  const inkOf = (style) => style.webkitTextFillColor || style.color, around = styleNow(block);
  for (const which of ['::first-line', '::first-letter']) {
    const style = viewOf(block).getComputedStyle(block, which);
    if (inkOf(style) !== inkOf(around) || px(style.fontSize) < MIN_TEXT_HEIGHT) return 'painted by ' + which;
    if (style.backgroundColor !== around.backgroundColor && opaqueColor(style.backgroundColor)) return 'painted by ' + which;
    if (style.backgroundImage !== around.backgroundImage && style.backgroundImage !== 'none') return 'painted by ' + which;
  }
  if (isSelected(piece.node)) return 'painted as selected';
  if (highlightsOn(piece.node).length) return 'painted by a highlight';
  for (let el = piece.el; el; el = flatParent(el)) {
    if (tagOf(el) === 'a' && hasAttr(el, 'href')) return visitedRules(ownerDocument(el)).some((rule) => matches(el, rule)) ? 'painted as a visited link' : '';
  }
  return '';
}

function isSelected(node) {
  const selection = Document.prototype.getSelection.call(ownerDocument(node));
  return !!selection && !selection.isCollapsed && selection.containsNode(node, true);
}

// highlightsOn lists the highlights that scripts have set over a node.
function highlightsOn(node) {
  const registry = viewOf(parentNode(node)).CSS?.highlights;
  if (!registry || !registry.size) return [];
  const over = (range) => {
    try {
      return liveRange(range).intersectsNode(node);
    } catch {
      return true; // it is in another document by now
    }
  };
  return [...registry.entries()].filter(([, highlight]) => [...highlight].some(over)).map(([name]) => name);
}

// liveRange returns a range with the ends of another, which may be a static one.
function liveRange(range) {
  const live = Document.prototype.createRange.call(ownerDocument(range.startContainer));
  live.setStart(range.startContainer, range.startOffset);
  live.setEnd(range.endContainer, range.endOffset);
  return live;
}

// visitedRules lists the selectors, without :visited, of rules that give visited links a colour.
function visitedRules(doc) {
  const known = rules.visited.get(doc);
  if (known) return known;
  const out = [];
  const read = (list) => {
    for (const rule of list) {
      if (rule.cssRules && rule.cssRules.length) read(rule.cssRules);
      if (rule.selectorText && rule.selectorText.includes(':visited') && rule.style && (rule.style.color || rule.style.webkitTextFillColor)) out.push(rule.selectorText.replaceAll(':visited', ':any-link'));
    }
  };
  for (const sheet of documentSheets(doc)) {
    try {
      read(sheet.cssRules);
    } catch {} // another site's
  }
  rules.visited.set(doc, out);
  return out;
}

// judgeInk compares the ink of a text with the ground it stands on.
function judgeInk(piece, stack, x, y) {
  const style = piece.style || (piece.hint ? viewOf(piece.el).getComputedStyle(piece.el, '::placeholder') : styleNow(piece.el));
  if ((style.webkitBackgroundClip || style.backgroundClip || '').includes('text')) return doubtful('its ground is its ink');
  if (!piece.hint && !/^(none|)$/.test(style.webkitTextSecurity || '')) return unseen('masked');
  const other = (piece.otherInk ??= otherInk(piece));
  if (other) return doubtful(other);
  if (chainOf(piece.el).line) return doubtful('a line is drawn at it');
  if (px(style.webkitTextStrokeWidth) > px(style.fontSize) / 12) return doubtful('the stroke of its letters');
  const odd = piece.node || piece.which ? null : oddField(piece, piece.hint ? style : null);
  if (odd) return odd;
  const svg = isSVG(piece.el);
  const fill = svg ? style.fill : style.webkitTextFillColor || style.color;
  if (svg && !/^(rgb|#)/.test(fill)) return doubtful('painted by ' + cut(fill, 20));
  const ink = colorOf(fill), alpha = ink[3] * chainOf(piece.el).opacity * (piece.style || piece.hint ? Number(style.opacity) : 1);
  const outlined = Number.parseFloat(style.webkitTextStrokeWidth) > 0 || style.textShadow !== 'none';
  const ground = groundAt(svg ? stack.filter((e) => !isSVG(e)) : stack, x, y, ownerDocument(piece.el));
  if (!ground) return doubtful('its ground is a picture');
  if (svg && stack.slice(1).some((e) => isSVG(e) && tagOf(e) !== 'svg' && tagOf(e) !== 'g')) return doubtful('its ground is a drawing');
  const stands = contrast(over(ink, alpha, ground), ground);
  if (stands >= CONTRAST_SURE) return sure;
  if (alpha < 0.004 && !outlined) return unseen('transparent');
  return doubtful('the colour of its ground', stands < 1.05 && !outlined && !stack.some((el) => pseudoPaints(el))); // which may be its ground
}
