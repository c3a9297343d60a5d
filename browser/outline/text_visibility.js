// Whether a text can be seen, by what its element and those around it look like.

const inkOf = (style) => style.webkitTextFillColor || style.color;

// colourOf reads a computed colour as red, green, blue and alpha; null for one in another notation.
function colourOf(value) {
  const found = /^rgba?\(([^)]*)\)$/.exec(value);
  if (!found) return null;
  const n = found[1].split(/[\s,/]+/).map(Number);
  return [n[0], n[1], n[2], n.length > 3 ? n[3] : 1];
}

function alphaOf(value) {
  const found = colourOf(value);
  if (found) return found[3];
  const alpha = /\/\s*([\d.]+)\)$/.exec(value);
  return alpha ? Number(alpha[1]) : 1;
}

const layOver = (top, ground) => [0, 1, 2].map((i) => top[i] * top[3] + ground[i] * (1 - top[3]));

function luminance(c) {
  const [r, g, b] = c.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrastOf(a, b) {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

const meet = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });

// sight answers for one document, as it is now.
class sight {
  constructor(doc, style) {
    this.doc = doc;
    this.win = windowOf(doc);
    this.style = style;
    this.memo = new Map();
    this.boxes = new Map();
    this.frames = new Map();
  }

  box(el) {
    let box = this.boxes.get(el);
    if (!box) this.boxes.set(el, (box = Element.prototype.getBoundingClientRect.call(el)));
    return box;
  }

  // struck reports whether a line goes through the texts of an element: its own, or that of an element around it.
  struck(el) {
    for (let e = el; e; e = flatParent(e)) {
      const style = this.style(e);
      if (style.textDecorationLine.includes('line-through') && alphaOf(style.textDecorationColor) > 0.05) return true;
      if (this.through(e)) return true;
      if (style.display.startsWith('inline-') || style.float !== 'none' || style.position === 'absolute' || style.position === 'fixed') {
        return e === el || tagOf(e) === 's' || tagOf(e) === 'del' ? false : this.struckAround(e);
      }
    }
    return false;
  }

  // A decoration does not reach what stands in a box of its own; a line that is drawn over it does.
  struckAround(el) {
    for (let e = flatParent(el), n = 0; e && n < 3; e = flatParent(e), n++) if (this.through(e)) return true;
    return false;
  }

  through(el) {
    const key = 'line', known = this.memo.get(el) || {};
    if (known[key] === undefined) {
      known[key] = ['::before', '::after'].some((which) => painted(el, which)?.line);
      this.memo.set(el, known);
    }
    return known[key];
  }

  // ofElement returns why nothing of an element is seen: of itself and those around it, without place.
  ofElement(el) {
    const known = this.memo.get(el) || {};
    if (known.why === undefined) {
      const style = this.style(el), up = flatParent(el);
      const around = up ? this.ofElement(up) : '';
      known.opacity = Number(style.opacity) * (up ? this.memo.get(up).opacity : 1);
      known.why = around || (known.opacity < 0.05 ? 'transparent' : '') || (cutAway(style) ? 'clipped' : '') || (/opacity\(0%?\)/.test(style.filter) ? 'transparent' : '');
      this.memo.set(el, known);
    }
    return known.why;
  }

  // ofText returns why a text of an element is not seen; '' where it is.
  ofText(el, rect, figure) {
    const why = this.ofElement(el);
    if (why) return why;
    const style = this.style(el);
    if (rect.width < 0.5 || rect.height < 0.5 || !(parseFloat(style.fontSize) >= 1)) return 'no size';
    return this.away(el, rect) || this.inkless(el, style, rect) || (figure ? this.covered(el, rect) : '');
  }

  // away recognises a text that is cut off, or where no scrolling leads to.
  away(el, rect) {
    let left = meet(rect, rect), loose = false, fixed = false;
    for (let e = el; e && !fixed; e = flatParent(e)) {
      const frame = this.frame(e), skipped = loose && !frame.holds;
      if (frame.cuts && !skipped) {
        const box = this.box(e);
        if (frame.scrolls) {
          if (!reached(e, box, left)) return 'clipped';
          left = meet(box, box);
        } else {
          const part = meet(left, box);
          if (part.right - part.left < Math.min(0.95 * (left.right - left.left), left.right - left.left - 1.5) || part.bottom - part.top < 0.6 * (left.bottom - left.top)) return 'clipped';
          left = part;
        }
      }
      if (!skipped) loose = frame.loose;
      fixed = frame.fixed;
    }
    const { scrollX, scrollY, innerWidth, innerHeight } = this.win, page = rootElement(this.doc);
    const x = fixed ? 0 : scrollX, y = fixed ? 0 : scrollY;
    const width = fixed ? innerWidth : Math.max(innerWidth, Element.prototype.getBoundingClientRect.call(page).width, reachWidth(page)), height = fixed ? innerHeight : Math.max(innerHeight, reachHeight(page));
    return left.right + x <= 1 || left.bottom + y <= 1 || left.left + x >= width - 1 || left.top + y >= height - 1 ? 'off-screen' : '';
  }

  // frame returns what an element does to where the texts in it can be.
  frame(el) {
    let frame = this.frames.get(el);
    if (frame) return frame;
    const style = this.style(el), { position, display, overflowX, overflowY } = style, tag = tagOf(el);
    const cuts = display !== 'inline' && display !== 'contents' && tag !== 'html' && tag !== 'body' && (overflowX !== 'visible' || overflowY !== 'visible');
    frame = { cuts, scrolls: cuts && /auto|scroll/.test(overflowX + overflowY), holds: position !== 'static' || style.transform !== 'none', loose: position === 'absolute', fixed: position === 'fixed' };
    this.frames.set(el, frame);
    return frame;
  }

  inkless(el, style, rect) {
    const ink = colourOf(inkOf(style));
    if (!ink || style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0) return '';
    for (let e = el, n = 0; e && n < 4; e = flatParent(e), n++) if (/text/.test(this.style(e).webkitBackgroundClip || this.style(e).backgroundClip)) return '';
    if (ink[3] < 0.05) return 'transparent';
    const ground = this.ground(el, rect);
    return ground && contrastOf(layOver(ink, ground), ground) < 1.1 ? 'of the colour of its ground' : '';
  }

  // ground returns the colour behind a text; null where a picture or something unreadable is.
  ground(el, rect) {
    const layers = [];
    const within = rect.top >= 0 && rect.left >= 0 && rect.bottom <= this.win.innerHeight && rect.right <= this.win.innerWidth;
    const stack = within && isHTML(el) ? this.under(el, rect) : null;
    if (isSVG(el)) return null;
    for (let e = el, i = 0; e; e = stack ? stack[++i] : flatParent(e)) {
      const style = this.style(e);
      if (style.backgroundImage !== 'none' || (e !== el && OPAQUE.has(tagOf(e))) || tagOf(e) === 'img' || isSVG(e) || style.mixBlendMode !== 'normal') return null;
      if (!stack && style.position !== 'static') return null;
      const colour = colourOf(style.backgroundColor);
      if (!colour) return null;
      layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reduceRight((below, layer) => layOver(layer, below), [255, 255, 255]);
  }

  // under lists what is drawn at the middle of a text, from its element down.
  under(el, rect) {
    const all = elementsAt(this.doc, rect.left + rect.width / 2, rect.top + rect.height / 2);
    const at = all.indexOf(el);
    return at < 0 ? null : all.slice(at);
  }

  // covered returns what is drawn over a text. What lets clicks through is not found.
  covered(el, rect) {
    const x = rect.left + rect.width / 2, y = rect.top + rect.height / 2;
    if (x < 0 || y < 0 || x >= this.win.innerWidth || y >= this.win.innerHeight || nodeType(treeRoot(el)) !== 9) return '';
    for (const top of elementsAt(this.doc, x, y)) {
      if (top === el || Node.prototype.contains.call(top, el) || Node.prototype.contains.call(el, top)) return '';
      const style = this.style(top);
      if (!this.ofElement(top) && this.memo.get(top).opacity > 0.95 && (alphaOf(style.backgroundColor) === 1 || tagOf(top) === 'img' || tagOf(top) === 'video')) return 'covered by ' + tagOf(top);
    }
    return '';
  }
}

const elementsAt = (doc, x, y) => Document.prototype.elementsFromPoint.call(doc, x, y);
const reachWidth = getter(Element.prototype, 'scrollWidth');
const reachHeight = getter(Element.prototype, 'scrollHeight');

// reached reports whether scrolling an element brings a place into it.
function reached(el, box, place) {
  const left = box.left - scrollLeftOf(el), top = box.top - scrollTopOf(el);
  if (box.width < 2 || box.height < 2) return false;
  return place.right > left + 1 && place.bottom > top + 1 && place.left < left + reachWidth(el) && place.top < top + reachHeight(el);
}

// cutAway returns what clips an element to nothing.
function cutAway(style) {
  const clip = style.position === 'absolute' || style.position === 'fixed' ? /^rect\(([^)]*)\)$/.exec(style.clip || '') : null;
  if (clip) {
    const [top, right, bottom, left] = clip[1].split(/[\s,]+/).map((n) => (n === 'auto' ? NaN : parseFloat(n)));
    if (bottom - top < 2 || right - left < 2) return true;
  }
  const inset = /^inset\(([^)]*?)(?: round .*)?\)$/.exec(style.clipPath);
  if (inset) {
    const sides = inset[1].trim().split(/\s+/), [t, r = t, b = t, l = r] = sides;
    const share = (side) => (side.endsWith('%') || parseFloat(side) === 0 ? parseFloat(side) : NaN);
    const all = (x, y) => share(x) + share(y) >= 100;
    if (all(t, b) || all(l, r)) return true;
  }
  return /^(circle|ellipse)\(0/.test(style.clipPath) || /^polygon\((0(px|%)? 0(px|%)?,? ?)+\)$/.test(style.clipPath);
}
