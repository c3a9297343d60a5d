// Whether that is seen by which an element was asked for: its own words, the words of its label, or what it shows in their place.

const MAX_NAMING = 300; // characters: a longer text names nothing
const BY_PICTURE = new Set(['button', 'link', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem', 'img', 'checkbox', 'radio', 'switch']);
const FIELDS = new Set(['input', 'textarea', 'select', 'progress', 'meter', 'output']);
const SHAPES = 'path, rect, circle, ellipse, polygon, polyline, line, use, image, text';

const unspaced = (text) => bare(text).replace(/\s/g, '').toLowerCase();

// judgeNamed reports whether an element is seen that was asked for by its words. What only pictures can decide comes with the stretches of a text.
function judgeNamed(el, name, kept) {
  const tag = tagOf(el), words = unspaced((name || '').replace(/…$/, ''));
  const whole = judgeElement(el);
  if (!words || tag === 'option' || !['seen', 'doubt'].includes(whole.state)) return whole;
  if (tag === 'img' && isUnloadedPicture(el)) return unseen('its picture did not come');
  const pieces = piecesOf(el, false).filter((piece) => bare(piece.text) && !isForReadersIn(piece.el, el));
  if (holdsWords(pieces, words)) {
    const said = judgeWords(pieces, kept);
    return said.state !== 'seen' && standsPicture(el, said) ? whole : said;
  }
  const label = judgeLabels(el, words, pieces, kept);
  if (label) return label;
  return FIELDS.has(tag) ? whole : judgeContent(el, whole, pieces);
}

const saidBy = (pieces) => pieces.map((piece) => piece.text).join(' ');
const holdsWords = (pieces, words) => saidBy(pieces).length <= MAX_NAMING && unspaced(saidBy(pieces)).includes(words);

// judgeWords judges each of the words of a name.
function judgeWords(pieces, kept) {
  let worst = sure;
  const open = [];
  for (const piece of pieces) {
    const here = judgePiece(piece, 0, piece.text.length, true);
    if (here.state === 'unseen') return here;
    if (here.state !== 'doubt') continue;
    worst = here;
    open.push([kept.pieces.push(piece) - 1, 0, piece.text.length]);
  }
  return open.length ? { ...worst, spans: open } : sure;
}

// standsPicture reports whether a picture stands in place of words that are not seen, as in a button with a cross: of what is used, and of what has its
// words out of the way by their place. Words in the colour of their ground are beside their picture.
function standsPicture(el, said) {
  state ||= newState();
  const byPlace = ['off-screen', 'clipped', 'no size', 'too small'].includes(said.why);
  return (byPlace || BY_PICTURE.has(roleOf(el) || '')) && [el, ...allIn(el, '*')].some((part) => showsPicture(part) && judgePicture(part).state === 'seen');
}

const isUnloadedPicture = (el) => isLoaded(el) && !naturalWidth(el) && styleNow(el).content === 'normal' && !/url\(/.test(styleNow(el).backgroundImage);

// isForReadersIn reports whether something in an element is kept for readers of the screen alone: in a dot, or beside the page.
function isForReadersIn(part, el) {
  for (let node = part; node && node !== el; node = flatParent(node)) {
    const r = boxOf(node), { scrollX, scrollY } = viewOf(node);
    if (!/absolute|fixed/.test(styleNow(node).position) || !r.width || !r.height) continue;
    if ((r.width <= 2 && r.height <= 2) || r.right + scrollX <= 0 || r.bottom + scrollY <= 0) return true;
  }
  return false;
}

// judgeLabels judges the label with the words of an element. null where it has none that is meant to be seen, or where the element says them itself.
function judgeLabels(el, words, own, kept) {
  for (const label of [...labelsOf(el), ...idRefs(el, 'aria-labelledby')]) {
    const pieces = piecesOf(label, false).filter((piece) => bare(piece.text) && !standsWithin(piece.el, el) && !isForReadersIn(piece.el, flatParent(label)));
    if (!holdsWords(pieces, words) || unrendered(label) === 'hidden' || unrendered(label) === 'not rendered') continue;
    const said = judgeWords(pieces, kept);
    if (said.state === 'seen' || (said.state === 'doubt' && !said.likely)) return null;
    return { ...said, why: 'its label is not seen: ' + said.why };
  }
  return null;
}

// judgeContent judges an element that is named by nothing that is painted, such as aria-label: of what it holds to tell what it is, something must be seen.
function judgeContent(el, whole, pieces) {
  let first = null;
  for (const piece of pieces.slice(0, MAX_PARTS)) {
    const word = /\S+/.exec(piece.text), here = judgePiece(piece, word ? word.index : 0, word ? word.index + word[0].length : piece.text.length, true);
    if (here.state === 'seen' || (here.state === 'doubt' && !here.likely)) return whole;
    first ||= here;
  }
  for (const part of [...allIn(el, '*')].slice(0, MAX_PARTS)) {
    if (!showsPicture(part) && tagOf(part) !== 'img' && !FIELDS.has(tagOf(part)) && !paintsGround(part)) continue;
    const here = judgePicture(part);
    if (here.state === 'seen') return whole;
    first ||= here;
  }
  return first && !showsPicture(el) ? unseen('what it shows is not seen: ' + first.why) : whole;
}

// judgePicture judges a picture, a drawing or a glyph by its styles alone: what they don't rule out is seen.
function judgePicture(part) {
  const why = unrendered(part);
  if (why) return unseen(why);
  const r = boxOf(part), glyph = ['::before', '::after'].map((which) => viewOf(part).getComputedStyle(part, which)).filter((style) => !['none', 'normal', '""'].includes(style.content));
  if (glyph.length && glyph.every((style) => style.visibility !== 'visible' || Number(style.opacity) < OPACITY_FLOOR || !colorOf(style.color)[3])) return unseen('hidden');
  if (!glyph.length && (r.width < 0.5 || r.height < 0.5)) return unseen('no size');
  if (tagOf(part) === 'img' && isUnloadedPicture(part)) return unseen('its picture did not come');
  return tagOf(part) === 'svg' && isOfItsGround(part, r) ? unseen('the colour of its ground') : sure;
}

// isOfItsGround reports whether all that a drawing is made of has the one colour that lies under it.
function isOfItsGround(svg, r) {
  const x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
  const ground = groundAt(stackAt(svg, x, y).filter((el) => !isSVG(el)), x, y, ownerDocument(svg));
  const shapes = ground ? [...allIn(svg, SHAPES)] : [];
  return shapes.length > 0 && shapes.every((shape) => {
    const { fill, stroke, filter } = styleNow(shape);
    return filter === 'none' && !/^(use|image)$/.test(tagOf(shape)) && [fill, stroke].every((paint) => paint === 'none' || (/^rgb/.test(paint) && contrast(over(colorOf(paint), colorOf(paint)[3], ground), ground) < 1.02));
  });
}
