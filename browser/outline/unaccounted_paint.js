// Paint that the cheap rules don't work out: what no hit finds, what is painted beyond a box, and what else than a ground of one colour lies at a
// point. Where there is any near a text, pictures decide.

const WIDE_SHADOW = 60; // CSS pixels: a blurred shadow that reaches farther may lie over others
const THICK = 4; // CSS pixels: a thinner outline, line or shadow does not hide a letter
const MAX_VEILS = 5000; // elements of a document that are looked through for what no hit finds
const MAX_INERT = 200; // elements of an inert part that are looked through
const LARGE_LETTERS = 80; // CSS pixels: a line through or under larger ones is thick by itself
const HOSTS = new Set(['article', 'aside', 'blockquote', 'div', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'main', 'nav', 'p', 'section', 'span']);

const px = (text) => Number.parseFloat(text) || 0;
const opaqueColor = (text) => colorOf(text)[3] > 0.02;

// ---- beyond boxes

// veilAt names what may be painted over a point of an element although no hit finds it: an outline, a shadow, a part of the page that is inert, the
// backdrop of a popover, or what a closed shadow root draws.
function veilAt(of, x, y) {
  const doc = ownerDocument(of);
  let veils = rules.veils.get(doc);
  if (!veils) rules.veils.set(doc, (veils = veilsIn(doc)));
  if (veils.closed) return 'covered by what ' + veils.closed + ' draws';
  const backdrop = veils.backdrops.find((el) => !contains(el, of));
  if (backdrop) return 'covered by the backdrop of ' + nameFor(backdrop);
  const inert = veils.inert.find((el) => !contains(el, of) && inertPaintAt(el, x, y));
  if (inert) return 'covered by ' + nameFor(inert);
  const found = veils.shadows.find(([el, reach]) => {
    const r = boxOf(el);
    return x >= r.left - reach && x <= r.right + reach && y >= r.top - reach && y <= r.bottom + reach;
  });
  if (found) return 'covered by the shadow of ' + nameFor(found[0]);
  const edge = veils.edges.find(({ el, left, top, right, bottom, inner }) => {
    const r = boxOf(el), dx = Math.max(r.left - x, x - r.right), dy = Math.max(r.top - y, y - r.bottom);
    return x >= r.left - left && x <= r.right + right && y >= r.top - top && y <= r.bottom + bottom && Math.max(dx, dy) >= inner;
  });
  return edge ? 'covered by what is around ' + nameFor(edge.el) : '';
}

const inertPaintAt = (root, x, y) => [root, ...[...allIn(root, '*')].slice(0, MAX_INERT)].some((el) => {
  const r = boxOf(el);
  return x >= r.left && x <= r.right && y >= r.top && y <= r.bottom && !unrendered(el) && paints(el);
});

function veilsIn(doc) {
  const out = { shadows: [], edges: [], inert: [], backdrops: backdropsIn(doc), closed: '' };
  for (const el of [...allIn(doc, '*')].slice(0, MAX_VEILS)) {
    if (localName(el).includes('-') && isHTML(el) && !shadowRootOf(el) && matches(el, ':defined')) out.closed ||= nameFor(el);
    if (hasAttr(el, 'inert')) out.inert.push(el);
    const shadow = styleNow(el).boxShadow;
    out.edges.push(...edgesOf(el, styleNow(el)));
    if (shadow === 'none' || shadow.includes('inset')) continue;
    const reach = Math.max(...[...shadow.matchAll(/(-?[\d.]+)px/g)].map((m) => Math.abs(Number(m[1]))));
    if (reach > WIDE_SHADOW) out.shadows.push([el, 2 * reach]);
  }
  return out;
}

// backdropsIn lists what stands in the top layer with a backdrop that paints. A popover's takes no hits.
const backdropsIn = (doc) => [...allIn(doc, ':popover-open, :modal')].filter((el) => {
  const style = viewOf(el).getComputedStyle(el, '::backdrop');
  return paintsBox(style) && style.display !== 'none' && style.visibility === 'visible' && Number(style.opacity) >= OPACITY_FLOOR;
});

// edgesOf lists what an element paints around its box: how far it reaches to each side, and from where.
function edgesOf(el, style) {
  const out = [];
  const ring = (reach, inner) => out.push({ el, left: reach, top: reach, right: reach, bottom: reach, inner });
  if (style.outlineStyle !== 'none' && px(style.outlineWidth) >= THICK) ring(px(style.outlineOffset) + px(style.outlineWidth), px(style.outlineOffset));
  if (style.boxShadow !== 'none') out.push(...shadowEdges(el, style.boxShadow));
  if (style.filter !== 'none') filterEdges(style.filter, ring);
  if (style.borderImageSource !== 'none' && style.borderImageOutset !== '0') ring(Math.max(...style.borderImageOutset.split(' ').map((n) => px(n) * (n.endsWith('px') ? 1 : px(style.borderTopWidth)))), 0);
  if ((style.webkitBoxReflect || 'none') !== 'none') ring(2 * Math.max(boxOf(el).width, boxOf(el).height), 0);
  if (style.textShadow !== 'none') inkEdges(style.textShadow, ring);
  const line = style.textDecorationLine === 'none' ? 0 : lineThickness(style);
  if (line >= THICK) out.push({ el, left: 0, right: 0, top: line + Math.abs(px(style.textUnderlineOffset)), bottom: line + Math.abs(px(style.textUnderlineOffset)), inner: 0 });
  return out;
}

const SHADOW = /((?:rgba?|color|oklab|oklch|lab|lch)\([^)]*\)) (-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px(?: (-?[\d.]+)px)?( inset)?/g;

// shadowsOf lists the shadows of a computed style: colour, offsets, blur and spread.
const shadowsOf = (text) => [...text.matchAll(SHADOW)].map(([, color, x, y, blur, spread, inset]) => ({ alpha: colorOf(color)[3], x: Number(x), y: Number(y), blur: Number(blur), spread: Number(spread || 0), inset: !!inset }));

const shadowEdges = (el, text) => shadowsOf(text).filter((s) => !s.inset && s.alpha >= 0.5 && Math.max(Math.abs(s.x), Math.abs(s.y)) + s.spread - s.blur / 2 >= THICK)
  .map(({ x, y, blur, spread }) => ({ el, left: spread - blur / 2 - x, right: spread - blur / 2 + x, top: spread - blur / 2 - y, bottom: spread - blur / 2 + y, inner: 0 }));

// filterEdges: shadows of what is drawn, and what a filter of its own draws anywhere.
function filterEdges(filter, ring) {
  for (const s of shadowsOf(filter)) if (s.alpha >= 0.5 && Math.max(Math.abs(s.x), Math.abs(s.y)) - s.blur / 2 >= THICK) ring(Math.max(Math.abs(s.x), Math.abs(s.y)) + s.blur, 0);
  const blur = px((/blur\(([\d.]+)px\)/.exec(filter) || [])[1]);
  if (blur >= 2 * THICK) ring(2 * blur, 0);
  if (filter.includes('url(')) ring(Infinity, 0);
}

function inkEdges(shadow, ring) {
  for (const s of shadowsOf(shadow)) if (s.alpha >= 0.5 && Math.max(Math.abs(s.x), Math.abs(s.y)) >= 5 * THICK) ring(Math.max(Math.abs(s.x), Math.abs(s.y)) + s.blur, 0);
}

const lineThickness = (style) => px(style.textDecorationThickness) || (px(style.fontSize) >= LARGE_LETTERS ? px(style.fontSize) / 10 : 0);

// lineOver reports whether a line that is drawn at a text may hide it: through it, or under it and moved up.
const lineOver = (style) => style.textDecorationLine !== 'none' && lineThickness(style) >= THICK && (style.textDecorationLine.includes('line-through') || px(style.textUnderlineOffset) < 0);

// ---- pseudo-elements

// paintsBox reports whether a style draws anything of a box.
function paintsBox(style) {
  if (style.backgroundImage !== 'none' || opaqueColor(style.backgroundColor) || (style.backdropFilter || 'none') !== 'none') return true;
  if (style.boxShadow !== 'none' || (style.borderImageSource || 'none') !== 'none') return true;
  return ['Top', 'Right', 'Bottom', 'Left'].some((side) => px(style['border' + side + 'Width']) > 0 && opaqueColor(style['border' + side + 'Color']));
}

const isDrawn = (style) => !['none', 'normal'].includes(style.content) && style.display !== 'none' && style.visibility === 'visible' && Number(style.opacity) >= OPACITY_FLOOR;

// pseudoPaints reports whether a pseudo-element of an element draws anything that may hide a letter, or be one's ground. own: so may one that draws
// nothing but has a place of its own, as what is under it is not known.
function pseudoPaints(el, own) {
  rules.pseudoPaint ||= new Map();
  let known = rules.pseudoPaint.get(el);
  if (!known) {
    const styles = ['::before', '::after'].map((which) => viewOf(el).getComputedStyle(el, which)).filter(isDrawn);
    rules.pseudoPaint.set(el, (known = { paint: styles.some((style) => !isThin(style) && (paintsBox(style) || /url\(|gradient\(|"[^"]*\S[^"]*"/.test(style.content))), placed: styles.some((style) => style.position !== 'static') }));
  }
  return known.paint || (own && known.placed);
}

// isThin recognises a bar that hides no letter.
const isThin = (style) => !style.display.startsWith('inline') && style.boxShadow === 'none' && /px$/.test(style.width) && /px$/.test(style.height) &&
  Math.min(px(style.width) + px(style.paddingLeft) + px(style.paddingRight) + px(style.borderLeftWidth) + px(style.borderRightWidth),
    px(style.height) + px(style.paddingTop) + px(style.paddingBottom) + px(style.borderTopWidth) + px(style.borderBottomWidth)) < THICK;

// askPseudo remembers a point at which an element's pseudo-elements may lie; settlePseudos finds out, for all points together.
function askPseudo(el, x, y, own) {
  if (pseudoPaints(el, own)) rules.points.push({ el, x, y });
}

// settlePseudos looks whether pseudo-elements are at the points that were remembered: a hit finds one where its element itself takes none.
function settlePseudos() {
  const open = rules.points;
  rules.points = [];
  if (!open.length || rules.pseudoAt) return;
  const undo = [...new Set(open.map((p) => p.el))].map((el) => {
    const path = pathWithin(el);
    return addSheet(treeRoot(el), path + ' { pointer-events: none !important; } ' + path + '::before, ' + path + '::after { pointer-events: auto !important; }');
  });
  const hit = open.find(({ el, x, y }) => stackAt(el, x, y).includes(el));
  rules.pseudoAt = hit ? hit.el : null;
  for (const back of undo.reverse()) back();
}

// pseudoHit answers it for one point at once.
function pseudoHit(el, x, y) {
  rules.points = [];
  rules.pseudoAt = null;
  askPseudo(el, x, y, true);
  settlePseudos();
  return !!rules.pseudoAt;
}

// mayBeHost reports whether an element without anything in it may draw all the same, by a closed shadow root.
const mayBeHost = (el) => isHTML(el) && HOSTS.has(tagOf(el)) && !shadowRootOf(el) && !firstChild(el);

// ---- grounds

// paintOf returns what an element's own box paints beside one colour; it is worked out once a question.
function paintOf(el, style) {
  rules.boxPaint ||= new Map();
  let paint = rules.boxPaint.get(el);
  if (paint) return paint;
  const inset = style.boxShadow.includes('inset') ? shadowsOf(style.boxShadow).filter((s) => s.inset && s.alpha > 0.02).map((s) => Math.max(Math.abs(s.x), Math.abs(s.y)) + s.spread + s.blur) : [];
  const border = (side) => (style['border' + side + 'Style'] !== 'none' && opaqueColor(style['border' + side + 'Color']) ? px(style['border' + side + 'Width']) : 0);
  paint = {
    inset: Math.max(0, ...inset), borders: ['Top', 'Right', 'Bottom', 'Left'].map(border), image: style.borderImageSource !== 'none',
    rule: style.columnRuleStyle !== 'none' && px(style.columnRuleWidth) >= THICK && (style.columnCount !== 'auto' || style.columnWidth !== 'auto'),
    columns: style.display === 'table-cell' && colouredColumns(el),
  };
  rules.boxPaint.set(el, paint);
  return paint;
}

function colouredColumns(cell) {
  const table = Element.prototype.closest.call(cell, 'table');
  return !!table && [...allIn(table, 'col, colgroup')].some((col) => paintsBox(styleNow(col)));
}

// mixed reports whether an element's own box paints something else than one colour at a point.
function mixed(el, style, x, y) {
  const paint = paintOf(el, style);
  if (paint.rule || paint.columns) return true;
  if (!paint.inset && !paint.image && !paint.borders.some(Boolean)) return false;
  return boxesOf(el, style).some((r) => {
    const [top, right, bottom, left] = [y - r.top, r.right - x, r.bottom - y, x - r.left];
    if (Math.min(top, right, bottom, left) < 0) return false;
    return paint.image || Math.min(top, right, bottom, left) < paint.inset || [top, right, bottom, left].some((distance, i) => distance < paint.borders[i]);
  });
}

const boxesOf = (el, style) => (style.display === 'inline' ? [...Element.prototype.getClientRects.call(el)] : [boxOf(el)]);

// reaches reports whether the ground of an element is at a point: a box may be smaller than what stands in it. null where that is not known.
function reaches(el, style, x, y) {
  if (isCanvas(el)) return true;
  if (chainOf(el).turned || style.backgroundClip === 'text') return null;
  return boxesOf(el, style).some((r) => inShape(r, style, x, y));
}

// inShape reports whether a point is within a box with round corners, as far as its ground is painted.
function inShape(r, style, x, y) {
  const clip = style.backgroundClip, by = (side) => (clip.startsWith('border') ? 0 : px(style['border' + side + 'Width']) + (clip.startsWith('content') ? px(style['padding' + side]) : 0));
  if (x < r.left + by('Left') || x > r.right - by('Right') || y < r.top + by('Top') || y > r.bottom - by('Bottom')) return false;
  for (const [corner, dx, dy] of [['TopLeft', x - r.left, y - r.top], ['TopRight', r.right - x, y - r.top], ['BottomLeft', x - r.left, r.bottom - y], ['BottomRight', r.right - x, r.bottom - y]]) {
    const [across, down = across] = style['border' + corner + 'Radius'].split(' '), size = (n, of) => (n.endsWith('%') ? (px(n) * of) / 100 : px(n));
    const rx = Math.min(size(across, r.width), r.width / 2), ry = Math.min(size(down, r.height), r.height / 2);
    if (dx < rx && dy < ry && ((rx - dx) / rx) ** 2 + ((ry - dy) / ry) ** 2 > 1) return false;
  }
  return true;
}

// isCanvas reports whether an element's ground is that of the whole document: the root's, or the body's where the root has none.
function isCanvas(el) {
  const doc = ownerDocument(el), root = rootElement(doc);
  if (el === root) return true;
  return el === bodyOf(doc) && styleNow(root).backgroundImage === 'none' && !opaqueColor(styleNow(root).backgroundColor);
}

// withRows adds to the elements at a point the rows and groups of rows that its cells stand in, which no hit finds.
function withRows(stack) {
  const out = [];
  for (const el of stack) {
    out.push(el);
    if (styleNow(el).display !== 'table-cell') continue;
    for (let up = flatParent(el); up && /^table-/.test(styleNow(up).display); up = flatParent(up)) if (!stack.includes(up)) out.push(up);
  }
  return out;
}

// baseAt returns the colour under all that stands at a point of a document: the canvas, or in a frame what the frame stands on.
function baseAt(doc, x, y) {
  const dark = (d) => /dark/.test(styleNow(rootElement(d)).colorScheme);
  let base = dark(doc) ? [18, 18, 18] : [255, 255, 255];
  const frame = outerFrame(doc);
  if (frame && dark(ownerDocument(frame)) === dark(doc)) base = groundOfFrame(frame, x, y);
  for (const el of [bodyOf(doc), rootElement(doc)]) {
    if (!base || !el || !isCanvas(el)) continue;
    const color = colorOf(styleNow(el).backgroundColor);
    base = styleNow(el).backgroundImage === 'none' ? over(color, color[3], base) : null;
  }
  return base;
}

function groundOfFrame(frame, x, y) {
  const p = throughFrame(frame, { left: x, top: y, right: x, bottom: y }), stack = stackAt(frame, p.left, p.top);
  const below = groundAt(stack.slice(stack.indexOf(frame) + 1), p.left, p.top, ownerDocument(frame)), own = styleNow(frame);
  return below && own.backgroundImage === 'none' ? over(colorOf(own.backgroundColor), colorOf(own.backgroundColor)[3], below) : null;
}

// ---- fields and ellipses

// oddField returns what is seen of the text of a field, a list or a picture that did not come, whose letters have no boxes of their own: null
// where it stands as a browser puts it.
function oddField(piece, hint) {
  const el = piece.el, style = styleNow(el), ink = hint || style;
  if (hint && (hint.visibility !== 'visible' || hint.display === 'none')) return unseen('hidden');
  if (hint && Number(hint.opacity) < OPACITY_FLOOR) return unseen('transparent');
  if (px(ink.fontSize) < MIN_TEXT_HEIGHT) return unseen('too small');
  if (tagOf(el) === 'img') return hasRoom(piece, style) ? null : unseen('clipped');
  if (px(style.textIndent) || px(ink.textIndent)) return doubtful('text-indent');
  const r = boxOf(el), across = r.width - px(style.paddingLeft) - px(style.paddingRight), down = r.height - px(style.paddingTop) - px(style.paddingBottom);
  if (across < px(ink.fontSize) / 2 || down < px(ink.fontSize) / 2 || px(ink.lineHeight) > 2 * Math.max(r.height, px(ink.fontSize))) return doubtful('clipped');
  return null;
}

const measures = new OffscreenCanvas(1, 1).getContext('2d');

function widthOf(text, style) {
  measures.font = [style.fontStyle, style.fontWeight, style.fontSize, style.fontFamily].join(' ');
  return measures.measureText(text).width;
}

// hasRoom reports whether the text of a picture that did not come fits into its box.
function hasRoom(piece, style) {
  const r = boxOf(piece.el), lines = Math.floor(r.height / px(style.fontSize));
  return lines >= 1 && widthOf(piece.shown, style) <= r.width * lines + px(style.fontSize) / 2;
}

// behindEllipsis reports whether a letter is left out for an ellipsis: of a line that is cut, or of the last line of a block that is.
function behindEllipsis(piece, r) {
  const clip = clippers(piece.el, true).boxes.find(({ style }) => style.textOverflow !== 'clip' || style.webkitLineClamp !== 'none');
  if (!clip) return false;
  const { box, style } = clip, view = windowIn(clip), rtl = style.direction === 'rtl';
  const cutLine = style.textOverflow !== 'clip' && /nowrap|pre$/.test(style.whiteSpace) && scrollWidthOf(box) > clientWidthOf(box) + 1;
  const cutBlock = style.webkitLineClamp !== 'none' && scrollHeightOf(box) > clientHeightOf(box) + 1 && r.bottom > view.bottom - px(style.paddingBottom) - r.height;
  if (!cutLine && !cutBlock) return false;
  const sign = widthOf(/^"/.test(style.textOverflow) ? style.textOverflow.slice(1, -1) : '…', style);
  return rtl ? r.left < view.left + px(style.paddingLeft) + sign - 1 : r.right > view.right - px(style.paddingRight) - sign + 1;
}
