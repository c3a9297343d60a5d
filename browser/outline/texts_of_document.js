// The texts of a document as people read them: what CSS writes before and after an element, what is raised or struck out, digits that
// stand side by side in elements of their own. Invisible text is kept separately, with the reason.

const DIGIT = /\p{Nd}/u;
const FIGURE_END = /[\p{Nd}.,'’%‰\p{Sc}(+\-−–]$/u, FIGURE_START = /^[\p{Nd}.,'’%‰\p{Sc})\-−–]/u;
const AFFIX = /^(?:[-−–+()%‰\p{Sc}]+|US\$|R\$|[KkMB]|Mio\.?|Mrd\.?|Tsd\.?|mn|bn)$/u;
const ONLY_FIGURE = /^[\s\p{Nd}.,'’\p{Sc}%‰()+\-−–]+$/u;
const MONEY = /\p{Sc}|(?:^|[^A-Za-z])(?:[A-Z]{3}|kr|zł|Kč|Ft)(?:$|[^A-Za-z])/u;
const PICTURE_FONT = /icon|symbol|glyph|awesome/i;
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹', LOWERED = '₀₁₂₃₄₅₆₇₈₉';
const NO_BREAKS = new Set(['inline-block', 'inline-flex', 'inline-grid']);

// painted returns what CSS draws before or after an element; open where a part of it can't be read, as a counter can't.
function painted(el, pseudo) {
  const known = state.painted.get(el) || {};
  if (known[pseudo] === undefined) {
    known[pseudo] = paint(el, pseudo);
    state.painted.set(el, known);
  }
  return known[pseudo];
}

function paint(el, pseudo) {
  const style = styleOf(el, pseudo);
  let rest = style.content, text = '', open = false;
  if (!rest || rest === 'none' || rest === 'normal' || style.display === 'none' || style.visibility !== 'visible' || style.opacity === '0' || !(parseFloat(style.fontSize) > 0)) return null;
  while (rest) {
    const piece = CSS_PIECE.exec(rest);
    if (piece && piece[4]) break; // behind the slash stands what is spoken
    if (piece) text += piece[3] ? attr(el, piece[3]) || '' : piece[2].replace(/\\([0-9a-fA-F]{1,6}) ?|\\(.)/gs, unescapeCSS);
    else open = open || /^counters?\(/.test(rest);
    rest = piece ? rest.slice(piece[0].length) : rest.replace(/^[^\s"']+\s*/, '');
    if (!piece && /^["']/.test(rest) && open) break;
  }
  const line = !text && style.position === 'absolute' && crosses(el, style);
  if (alphaOf(inkOf(style)) < 0.05 && style.textShadow === 'none') text = '';
  return { text: cased(text, style.textTransform), open, line, apart: style.display !== 'inline' && !NO_BREAKS.has(style.display), digits: DIGIT.test(text) };
}

// crosses recognises a line that is drawn through an element's middle.
function crosses(el, style) {
  const box = Element.prototype.getBoundingClientRect.call(el), top = parseFloat(style.top);
  const thick = (parseFloat(style.height) || 0) + (parseFloat(style.borderTopWidth) || 0) + (parseFloat(style.borderBottomWidth) || 0);
  const drawn = parseFloat(style.borderTopWidth) > 0 || parseFloat(style.borderBottomWidth) > 0 || alphaOf(style.backgroundColor) > 0.05;
  return drawn && thick > 0 && thick <= 5 && parseFloat(style.width) >= 0.6 * box.width && top >= 0.25 * box.height && top <= 0.75 * box.height;
}

function cased(text, transform) {
  if (transform === 'uppercase') return text.toUpperCase();
  return transform === 'lowercase' ? text.toLowerCase() : text;
}

// figureWalk gathers the runs of a document: texts that stand in a line or a block without a break.
class figureWalk {
  // asked are the elements that were asked for; each begins and ends a run.
  constructor(doc, asked) {
    this.runs = [];
    this.asked = new Set(asked);
    this.apartFrom = new Set(); // runs that are not joined with the one before
    state.painted = new Map();
    this.run = null;
    this.styles = new Map();
    this.roles = new Map();
    this.turns = new Map();
    this.reels = new Map();
    this.sight = new sight(doc, (el) => this.style(el));
    for (const item of state.items) if (item.role !== 'text' && !item.gone) this.roles.set(item.el, item.role);
    const root = rootElement(doc);
    if (root) this.visit(root, { svg: false, select: false, hidden: false, depth: 0 });
    this.end();
    this.join();
    this.doubtReels();
  }

  style(el) {
    let style = this.styles.get(el);
    if (!style) this.styles.set(el, (style = styleOf(el)));
    return style;
  }

  // end ends a run. parted: the next one is never joined with it.
  end(parted) {
    this.run = null;
    this.parted ||= !!parted;
  }

  visit(el, at) {
    const tag = tagOf(el);
    if (IGNORED.has(tag) || (at.svg && SVG_UNSEEN.has(tag)) || at.depth > MAX_DEPTH) return;
    const style = this.style(el), display = style.display;
    if (display === 'none') return;
    const boxless = display === 'contents' || tag === 'slot';
    if (!boxless && !rendered(el)) return;
    if (this.runs.length > MAX_READINGS) return;
    const role = this.roles.get(el), svgText = at.svg && tag === 'text';
    const math = at.math || tag === 'math'; // its elements lay out one formula
    const breaks = svgText || this.asked.has(el) || (math ? display === 'block math' && !at.math : role ? breaksText(role, el) : !at.svg && !INLINE.has(display));
    const asked = this.asked.has(el);
    if (breaks) this.end(asked);
    if (tag === 'br') this.space();
    if (!OPAQUE.has(tag) && tag !== 'select') this.inside(el, tag, { svg: tag === 'svg' || (at.svg && tag !== 'foreignobject'), math, hidden: at.hidden || (attr(el, 'aria-hidden') || '').toLowerCase() === 'true', depth: at.depth + 1 });
    if (breaks) this.end(asked);
  }

  inside(el, tag, at) {
    const closed = tag === 'details' && !hasAttr(el, 'open');
    this.pseudo(el, '::before');
    for (const child of flatChildren(el)) {
      if (nodeType(child) === 1) {
        if (!closed || tagOf(child) === 'summary') this.visit(child, at);
      } else if (!closed) this.text(child, el, at);
    }
    this.pseudo(el, '::after');
  }

  space() {
    if (this.run) this.run.push({ text: ' ' });
  }

  add(part) {
    if (!this.run) {
      this.runs.push((this.run = []));
      if (this.parted) this.apartFrom.add(this.run);
      this.parted = false;
    }
    this.run.push(part);
  }

  pseudo(el, which) {
    const drawn = painted(el, which);
    if (!drawn || (!drawn.text && !drawn.open)) return;
    const text = drawn.apart ? ' ' + drawn.text + ' ' : drawn.text;
    if (text.trim() && PICTURE_FONT.test(styleOf(el, which).fontFamily) && !DIGIT.test(text)) return;
    if (text.replace(GLYPHS, '').trim() || drawn.open) {
      this.add({ text, el, css: true, why: this.sight.ofElement(el), doubt: drawn.open ? 'a counter of CSS is part of it' : drawn.apart && drawn.digits ? 'CSS writes digits beside it' : DIGIT.test(text) && cutsItself(styleOf(el, which)) ? 'CSS cuts what it writes' : '' });
    }
  }

  text(node, el, at) {
    const words = nodeValue(node);
    if (!/\S/.test(words)) return this.space();
    const style = this.style(el);
    // For screen readers alone nothing is painted; of what is hidden from them, people see the figures, and icons by their names.
    if (at.hidden && (!/[\p{Nd}%‰\p{Sc}+\-−–]/u.test(words) || PICTURE_FONT.test(style.fontFamily))) return;
    const rects = range(node);
    const why = style.visibility !== 'visible' ? 'not displayed' : this.sight.struck(el) ? 'struck out' : this.sight.ofText(el, rects, DIGIT.test(words));
    if (/^\s*\p{Nd}\s*$/u.test(words)) this.noteReel(el, why);
    this.add({ text: cased(words, style.textTransform), node, el, why, doubt: DIGIT.test(words) ? this.written(el, words) : '', rect: rects, font: parseFloat(style.fontSize) || 0, weight: Number(style.fontWeight) || 400, shift: shiftOf(el, style) });
  }

  // written returns why the digits of an element may be seen in another way than they are written: as dots, mirrored, upside down, from right to left.
  written(el, words) {
    const style = this.style(el);
    if ((style.webkitTextSecurity || 'none') !== 'none') return 'its characters are drawn as dots';
    if (/[\u202D\u202E]/.test(words)) return 'characters in it turn the order of its digits';
    if (style.direction === 'rtl' && /override/.test(style.unicodeBidi)) return 'its digits run from right to left';
    const { a, b, c, d } = this.turn(el);
    if (a * d - b * c < 0) return 'it is mirrored';
    return a < 0 && d < 0 ? 'it is upside down' : '';
  }

  // turn returns the transforms of an element and of those around it as one matrix.
  turn(el) {
    if (this.turns.has(el)) return this.turns.get(el);
    const up = flatParent(el), { transform, scale, rotate } = this.style(el);
    let matrix = up ? this.turn(up) : new DOMMatrix();
    if (transform !== 'none' || scale !== 'none' || rotate !== 'none') matrix = matrix.multiply(turnOf(transform, scale, rotate));
    this.turns.set(el, matrix);
    return matrix;
  }

  // noteReel counts the digits that are seen of what is cut to a window, and those that are not: of an odometer one digit is.
  noteReel(el, why) {
    for (let e = el; e; e = flatParent(e)) {
      if (!this.sight.frame(e).cuts) continue;
      const reel = this.reels.get(e) || { seen: 0, cut: 0 };
      if (why === 'clipped') reel.cut++;
      else if (!why) reel.seen++;
      this.reels.set(e, reel);
      return;
    }
  }

  doubtReels() {
    for (const part of this.runs.flat()) {
      if (!part.node || part.why || !/^\s*\p{Nd}\s*$/u.test(part.text)) continue;
      let el = part.el;
      while (el && !this.sight.frame(el).cuts) el = flatParent(el);
      const reel = el && this.reels.get(el);
      if (reel && reel.seen <= 2 && reel.cut >= 5) part.doubt = 'its digits stand on reels that turn';
    }
  }

  // join makes one run of those that stand side by side like one figure.
  join() {
    const out = [];
    for (const run of this.runs) {
      const last = out.at(-1), seen = run.some((p) => p.node && !p.why) || run.some((p) => p.css && p.text.trim());
      const gap = last && seen && !this.apartFrom.has(run) ? this.tight(last, run) : null;
      if (gap === null) out.push(run);
      else last.push({ text: gap }, ...run);
    }
    this.runs = out;
  }

  // tight returns what stands between two runs that make one figure; null where they don't.
  tight(before, after) {
    if (this.frames(before, after) || this.frames(after, before)) return '';
    const a = before.findLast((p) => p.rect && !p.why), b = after.find((p) => p.rect && !p.why);
    if (!a || !b || this.apart(a.el, b.el)) return null;
    const left = before.filter((p) => !p.why).map((p) => p.text).join('').trim(), right = after.filter((p) => !p.why).map((p) => p.text).join('').trim();
    const gap = b.rect.x - (a.rect.x + a.rect.width), font = Math.max(a.font, b.font);
    const overlap = Math.min(a.rect.y + a.rect.height, b.rect.y + b.rect.height) - Math.max(a.rect.y, b.rect.y);
    if (gap < -0.2 * font || overlap < 0.4 * Math.min(a.rect.height, b.rect.height)) return null;
    const tile = (s) => s.length === 1 && ONLY_FIGURE.test(s);
    if (AFFIX.test(left) || AFFIX.test(right)) return (DIGIT.test(left) || DIGIT.test(right)) && ONLY_FIGURE.test(AFFIX.test(left) ? right : left) && gap <= 0.6 * font ? (gap > 0.18 * font ? ' ' : '') : null;
    if (!DIGIT.test(left + right) || !FIGURE_END.test(left) || !FIGURE_START.test(right)) return null;
    return gap <= (tile(right) && tile(left.slice(-1)) && (before.filter((p) => p.node).every((p) => tile(p.text.trim()))) ? 0.6 : 0.18) * font ? '' : null;
  }

  // frames reports whether a run is nothing but what CSS writes beside the boxes that an element lays out in a row, the other run among them.
  frames(sign, run) {
    if (!sign.every((p) => p.css || !p.el) || !sign.some((p) => p.css && !p.why)) return false;
    const el = sign.find((p) => p.css).el, style = this.style(el), text = run.find((p) => p.node && !p.why);
    return !!text && /flex/.test(style.display) && style.flexDirection.startsWith('row') && ONLY_FIGURE.test(text.text) && Node.prototype.contains.call(el, text.el);
  }

  // apart reports whether two elements stand in different parts of a page's structure: cells, rows, items, controls.
  apart(a, b) {
    const around = new Set();
    for (let el = a; el; el = flatParent(el)) around.add(el);
    let common = b;
    const part = (el) => this.roles.has(el) || /^(td|th|tr|li|dt|dd|p|h[1-6])$/.test(tagOf(el));
    for (; common && !around.has(common); common = flatParent(common)) if (part(common)) return true;
    for (let el = a; el && el !== common; el = flatParent(el)) if (part(el)) return true;
    return !common;
  }
}

// turnOf returns the matrix of an element's own transforms.
function turnOf(transform, scale, rotate) {
  const written = rotate === 'none' ? '' : /^[xyz]\s/.test(rotate) ? `rotate${rotate[0].toUpperCase()}(${rotate.slice(2)}) ` : /\s/.test(rotate) ? '' : `rotate(${rotate}) `;
  const scaled = scale === 'none' ? '' : `scale(${scale.split(/\s+/).slice(0, 2).join(', ')}) `;
  try {
    return new DOMMatrix(written + scaled + (transform === 'none' ? '' : transform));
  } catch {
    return new DOMMatrix(); // a transform in a notation that no matrix takes
  }
}

function range(node) {
  const r = newRange(ownerDocument(node));
  Range.prototype.selectNodeContents.call(r, node);
  return Range.prototype.getBoundingClientRect.call(r);
}

// shiftOf distinguishes raised and lowered text: 1, -1 or 0.
function shiftOf(el, style) {
  const tag = tagOf(el), align = style.verticalAlign;
  if (tag === 'sup' || align === 'super' || align === 'text-top') return 1;
  return tag === 'sub' || align === 'sub' ? -1 : 0;
}

// asFractions finds the fractions that are put together of raised and lowered digits with a slash between them, or that MathML lays out.
function asFractions(parts) {
  const out = parts.map((p) => ({ ...p })), some = out.filter((p) => p.el && p.text.trim()), only = (p) => p && /^\s*\p{Nd}{1,3}\s*$/u.test(p.text);
  some.forEach((part, i) => {
    const [, next, below] = some.slice(i, i + 3), stack = stackedIn(part), alone = stack && stackedIn(some[i - 1]) !== stack && stackedIn(below) !== stack;
    if (alone && tagOf(stack) === 'mfrac' && stack === stackedIn(next) && only(part) && only(next)) [part.above, next.below, next.text] = [true, true, SLASH + next.text.trim()];
    else if (stack && !part.below) part.doubt = 'it is a formula';
    else if (only(part) && part.shift > 0 && next && /^\s*[/\u2044\u2215]\s*$/.test(next.text) && only(below) && below.shift < 0) [part.above, next.text, below.below] = [true, SLASH, true];
  });
  return out;
}

const SLASH = '\u2044';

// stackedIn returns the element of MathML that stacks a part and others: a fraction, a power, a root; null where none does.
const STACKS = new Set(['mfrac', 'msup', 'msub', 'msubsup', 'msqrt', 'mroot', 'mover', 'munder', 'munderover', 'mtable', 'mmultiscripts']);
const stackedIn = (part) => {
  for (let el = part && part.el; el && tagOf(el) !== 'math'; el = flatParent(el)) if (STACKS.has(tagOf(el))) return el;
  return null;
};

// cutsItself reports whether a box may show less than the text in it.
const cutsItself = (style) => style.overflowX !== 'visible' || style.overflowY !== 'visible' || style.clipPath !== 'none' || (style.maskImage || 'none') !== 'none';

// written puts the parts of a run together. cuts are where one element ends and another begins, in characters.
function written(run) {
  let text = '', doubt = '', last = null;
  const parts = asFractions(run);
  const cuts = [], money = MONEY.test(parts.map((p) => p.text).join(' '));
  for (const part of parts) {
    let add = part.text.replace(UNSEEN, '').replace(/[ \t\r\n\f]+/g, ' ');
    if (last && part.el) {
      const small = last.font && part.font && part.font <= 0.8 * last.font, digits = /\p{Nd}$/u.test(text) && /^\p{Nd}/u.test(add);
      const raised = part.shift > 0 || (small && part.rect && last.rect && part.rect.y + part.rect.height / 2 < last.rect.y + 0.42 * last.rect.height);
      if (part.above) add = (/\p{Nd}$/u.test(text) ? ' ' : '') + add.trim();
      else if (part.below) add = add.trim();
      else if (digits && raised) add = cents(text, add, money);
      else if (digits && part.shift < 0) add = add.replace(/[0-9]/g, (d) => LOWERED[d]);
      else if (digits && small) doubt = 'its digits are of two sizes';
      text += between(text, add, last, part);
      if (part.el !== last.el) cuts.push([...text].length);
    }
    text += /\s$/.test(text) || !text ? add.replace(/^[ ]+/, '') : add;
    doubt = part.doubt || doubt;
    if (part.el) last = part;
  }
  return { text: text.replace(/[ ]+$/, ''), cuts: [...new Set(cuts)], doubt };
}

// cents writes raised digits behind digits: two of them are the decimals of an amount, others a note or a power.
function cents(text, digits, money) {
  const found = /^([0-9]{2})(?![0-9])/.exec(digits);
  if (money && found && !/[.,][0-9]{1,2}$/.test(text)) return (/[0-9]\.[0-9]{3}(?![0-9])/.test(text) ? ',' : '.') + digits;
  return digits.replace(/[0-9]/g, (d) => RAISED[d]);
}

// between returns the space that people see between two elements that have none between them, and the one between a word and its figure.
function between(text, add, last, part) {
  if (last.el === part.el || !text || /\s$/.test(text) || /^\s/.test(add)) return '';
  if (/\p{L}{2}$/u.test(text) && /^[-−–+(]?[\p{Nd}\p{Sc}]/u.test(add)) return ' ';
  if (/\p{Nd}$/u.test(text) && /^\p{L}{3}/u.test(add)) return ' ';
  if (!part.rect || !last.rect) return '';
  const gap = part.rect.x - (last.rect.x + last.rect.width), font = Math.max(part.font, last.font);
  return gap >= (FIGURE_END.test(text) && FIGURE_START.test(add) ? 0.6 : 0.2) * font ? ' ' : '';
}
