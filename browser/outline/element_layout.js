// What a document consists of when its picture is taken: every element that has a box, with what makes its looks. Who compares two such
// maps show which element is behind a difference of two pictures.

const MAX_ELEMENTS = 5000;
const MAX_OWN_TEXT = 200;
const MAX_VALUE = 300;
const MAX_CLASSES = 60;
const MAX_SHAPES = 300; // of one drawing, whose computed colours are read
const MAX_PICTURES = 80; // images and canvases whose pixels are read
const PROBE = 48; // pixels a side in which the pixels of an image are compared

// Inherited styles are recorded where they differ from the parent, the others where they differ from their initial value.
const INHERITED = ['color', 'letterSpacing', 'textAlign', 'textTransform', 'textShadow', 'visibility', 'fill', 'stroke', 'listStyleType', 'wordSpacing'];
const FONT = ['fontFamily', 'fontSize', 'fontWeight', 'fontStyle', 'lineHeight'];
const PLAIN = { __proto__: null, backgroundColor: 'rgba(0, 0, 0, 0)', backgroundImage: 'none', borderRadius: '0px', boxShadow: 'none', opacity: '1',
  padding: '0px', margin: '0px', display: 'block', transform: 'none', filter: 'none', textDecorationLine: 'none',
  position: 'static', float: 'none', verticalAlign: 'baseline', backgroundPosition: '0% 0%', clipPath: 'none', maskImage: 'none', rotate: 'none', scale: 'none',
  translate: 'none', zIndex: 'auto', mixBlendMode: 'normal', objectFit: 'fill', objectPosition: '50% 50%' };
const FLEX = { __proto__: null, gap: 'normal', flexDirection: 'row', justifyContent: 'normal', alignItems: 'normal' };
const NONE = { __proto__: null, backgroundColor: 'rgba(0, 0, 0, 0)', backgroundImage: 'none', opacity: '1', transform: 'none', width: 'auto', height: 'auto' };
const PSEUDO = ['color', 'backgroundColor', 'backgroundImage', 'fontSize', 'opacity', 'transform', 'width', 'height', 'borderColor', 'borderWidth'];
const PAINT = ['fill', 'stroke', 'opacity', 'strokeWidth', 'display'];
const NOT_DRAWN = /^(id|class|style|role|tabindex|focusable|x|y|xmlns.*|aria-.*|data-.*|xml:.*)$/;

const clientLeft = getter(Element.prototype, 'clientLeft');
const clientTop = getter(Element.prototype, 'clientTop');
const dashed = (name) => name.replace(/[A-Z]/g, (c) => '-' + c.toLowerCase());

// digest shortens long texts for comparison: 52 bits, which are no secret's hash.
function digest(s) {
  let a = 0xdeadbeef, b = 0x41c6ce57;
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

// masked takes away a whole text that holds a secret, as it is or as an address writes it, before it is cut.
function masked(s) {
  if (!state.secrets.length) return s;
  const forms = /[%+]/.test(s) ? [s, unescaped(s), unescaped(s.replaceAll('+', ' '))] : [s];
  return state.secrets.some((secret) => forms.some((form) => form.includes(secret))) ? '••••' : s;
}

const unescaped = (s) => s.replace(/(%[0-9a-f]{2})+/gi, (bytes) => new TextDecoder().decode(Uint8Array.from(bytes.slice(1).split('%'), (hex) => parseInt(hex, 16))));

const bounded = (text, max) => cutTo(masked(text), max);
const cutTo = (s, max) => (s.length <= max ? s : s.slice(0, max).toWellFormed() + '… #' + digest(s));

// layoutWalk performs one reading of a document.
class layoutWalk {
  constructor(doc, values) {
    this.doc = doc;
    this.win = windowOf(doc);
    this.out = [];
    this.frames = [];
    this.capped = false;
    this.pictures = 0;
    this.secret = new Set(secretElements(doc, values));
    this.origin = this.win.location.origin;
    this.lines = new Map();
    for (const item of state.items) {
      if (!item.gone && (!this.lines.has(item.el) || this.lines.get(item.el).role === 'text')) this.lines.set(item.el, item);
    }
  }

  read() {
    const root = rootElement(this.doc), top = this.win === this.win.top;
    if (!root) return;
    // The document of a frame is cut at the frame's edges, the page's own by nothing: its picture may be larger than the window.
    const clip = top ? null : [0, 0, this.win.innerWidth, this.win.innerHeight];
    this.visit(root, { parent: -1, css: '', looks: {}, clip, positioned: clip, secret: false, place: 1 });
  }

  visit(el, at) {
    const tag = tagOf(el);
    if (IGNORED.has(tag) || tag === 'head' || tag === 'br' || tag === 'option' || tag === 'optgroup') return;
    const style = styleOf(el);
    const boxless = style.display === 'contents' || tag === 'slot';
    if (style.display === 'none' || (!boxless && !rendered(el))) return;
    if (this.out.length >= MAX_ELEMENTS) {
      this.capped = true;
      return;
    }
    const secret = at.secret || this.secret.has(el) || secretField(el);
    const [styles, looks] = looksOf(el, style, at.looks, this.origin);
    const css = this.cssOf(el, at);
    const box = Element.prototype.getBoundingClientRect.call(el);
    const seen = !at.clip || boxless || (box.right > at.clip[0] && box.bottom > at.clip[1] && box.left < at.clip[2] && box.top < at.clip[3]);
    const entry = { p: at.parent, g: masked(stepName(el, tag, at.place)), s: masked(this.selectorFor(el, css, secret)), b: this.place(box, seen && !boxless), t: '', i: '', c: styles };
    const index = this.out.push(entry) - 1;
    if (!secret) {
      entry.t = bounded(ownText(el, tag), MAX_OWN_TEXT);
      entry.i = this.imageOf(el, tag, style, index, looks);
    }
    pseudoLooks(el, style, styles, this.origin);
    if (tag === 'iframe' || tag === 'frame') this.enter(el, style, box, index);
    if (OPAQUE.has(tag) || tag === 'select' || tag === 'svg') return;
    this.children(el, { ...this.clips(el, tag, style, box, at), parent: index, css, looks, secret });
  }

  children(el, at) {
    const places = new Map(), slot = el instanceof HTMLSlotElement;
    for (const child of flatChildren(el)) {
      if (nodeType(child) !== 1) continue;
      const tag = localName(child), place = (places.get(tag) || 0) + 1;
      places.set(tag, place);
      this.visit(child, { ...at, place, css: slot ? null : at.css, shadow: !!shadowRootOf(el) });
    }
  }

  // clips returns what cuts the elements inside of el: the edges of what scrolls or hides its overflow. What is positioned is cut only by what
  // is positioned itself, and what is fixed by nothing.
  clips(el, tag, style, box, at) {
    const { position } = style;
    let clip = position === 'fixed' ? null : position === 'absolute' ? at.positioned : at.clip;
    if (style.overflow !== 'visible' && tag !== 'body' && tag !== 'html' && style.display !== 'inline') {
      const own = [box.left, box.top, box.right, box.bottom];
      clip = clip ? [Math.max(clip[0], own[0]), Math.max(clip[1], own[1]), Math.min(clip[2], own[2]), Math.min(clip[3], own[3])] : own;
    }
    return { clip, positioned: position !== 'static' || style.transform !== 'none' ? clip : at.positioned };
  }

  place(box, seen) {
    const whole = this.win === this.win.top;
    const x = box.x + (whole ? this.win.scrollX : 0), y = box.y + (whole ? this.win.scrollY : 0);
    return [x, y, seen ? box.width : 0, seen ? box.height : 0].map((n) => Math.round(n * 100) / 100);
  }

  // cssOf finds an element by its id where that is unique, or else by its place in its parent.
  cssOf(el, at) {
    const id = attr(el, 'id');
    if (at.css === null || at.shadow) return cssPath(el);
    if (id && allIn(treeRoot(el), '#' + CSS.escape(id)).length === 1) return '#' + CSS.escape(id);
    return at.css ? at.css + ' > ' + CSS.escape(localName(el)) + ':nth-of-type(' + at.place + ')' : CSS.escape(localName(el));
  }

  // selectorFor prefers what a reader recognises: the line of a role, then what authors named, then the line of a text, then a place.
  selectorFor(el, css, secret) {
    const item = secret ? null : this.lines.get(el), testid = attr(el, 'data-testid') || '';
    if (item && item.role !== 'text') return selectorOf(item);
    if (/^[\w.:-]+$/.test(testid) && allIn(treeRoot(el), '[data-testid="' + testid + '"]').length === 1) return 'testid=' + testid;
    if (item) return selectorOf(item);
    return css;
  }

  enter(el, style, box, index) {
    const item = this.lines.get(el);
    if (!item || masked(selectorOf(item)) !== selectorOf(item)) return;
    const x = box.x + clientLeft(el) + parseFloat(style.paddingLeft), y = box.y + clientTop(el) + parseFloat(style.paddingTop);
    this.frames.push({ h: selectorOf(item), x: index, b: this.place({ x, y, width: box.width, height: box.height }, true) });
  }

  imageOf(el, tag, style, index, looks) {
    if (tag === 'svg') return 'svg' + this.drawing(el, style, index, looks);
    if (!isHTML(el)) return '';
    if (tag === 'canvas') return 'canvas' + this.pixels(el, own2(el, 'width'), own2(el, 'height'));
    if (tag === 'img') {
      const [w, h] = [own2(el, 'naturalWidth'), own2(el, 'naturalHeight')];
      return address(own2(el, 'currentSrc'), this.origin) + ' ' + w + '×' + h + this.pixels(el, w, h);
    }
    if (tag === 'video') return 'video ' + address(own2(el, 'currentSrc') || own2(el, 'poster'), this.origin);
    if (tag === 'input' && inputType(el) === 'image') return address(attr(el, 'src') || '', this.origin);
    return '';
  }

  // pixels returns the digest of a small copy of an image: other bytes at the same address. Those of another origin can't be read.
  pixels(el, width, height) {
    if (!width || !height || ++this.pictures > MAX_PICTURES) return '';
    try {
      this.probe ??= new OffscreenCanvas(PROBE, PROBE).getContext('2d', { willReadFrequently: true });
      this.probe.clearRect(0, 0, PROBE, PROBE);
      this.probe.drawImage(el, 0, 0, PROBE, PROBE);
      return ' #' + digest(String.fromCharCode(...this.probe.getImageData(0, 0, PROBE, PROBE).data));
    } catch {
      return '';
    }
  }

  // drawing returns the digest of what an SVG draws, without its texts, which become elements of their own. Colours that follow the text
  // colour around it, and names that scripts make up, don't count.
  drawing(svg, style, index, looks) {
    const parts = [];
    const read = (el) => {
      const tag = tagOf(el);
      if (tag === 'title' || tag === 'desc' || tag === 'style' || tag === 'metadata') return;
      if (tag === 'text') {
        this.label(el, styleOf(el), index, looks);
        return;
      }
      const drawn = attributeNames(el).filter((name) => !NOT_DRAWN.test(name) || (tag !== 'svg' && /^[xy]$/.test(name)));
      let part = tag + drawn.map((name) => ' ' + name + '=' + attr(el, name).replace(/url\([^)]*\)/g, 'url')).join('');
      if (el !== svg && parts.length < MAX_SHAPES) {
        const is = styleOf(el);
        for (const name of PAINT) {
          const value = is[name];
          if (value !== style[name]) part += '|' + name + (value === is.color ? 'currentcolor' : value.replace(/url\([^)]*\)/g, 'url'));
        }
      }
      parts.push(part);
    };
    read(svg);
    for (const el of allIn(svg, '*')) read(el);
    return ' #' + digest(parts.join('\n'));
  }

  // label adds a text of a drawing.
  label(el, style, parent, looks) {
    if (this.out.length >= MAX_ELEMENTS) return;
    const item = this.lines.get(el);
    const [styles] = looksOf(el, style, looks, this.origin);
    const secret = this.secret.has(el);
    this.out.push({ p: parent, g: 'text[0]', s: masked(item && !secret ? selectorOf(item) : cssPath(el)), b: this.place(Element.prototype.getBoundingClientRect.call(el), true),
      t: secret ? '' : bounded(raw(textContent(el)), MAX_OWN_TEXT), i: '', c: styles });
  }
}

// own2 reads a property of an image, a canvas or a video through its prototype.
function own2(el, name) {
  const iface = { img: HTMLImageElement, canvas: HTMLCanvasElement, video: HTMLVideoElement }[tagOf(el)];
  for (let proto = iface.prototype; proto; proto = Object.getPrototypeOf(proto)) {
    const d = Object.getOwnPropertyDescriptor(proto, name);
    if (d) return d.get.call(el);
  }
  return undefined;
}

// address shortens one of the page's own origin to its path, so that the same site elsewhere has the same, and long data to its digest.
function address(url, origin) {
  if (url.startsWith('blob:')) return 'blob:';
  if (origin !== 'null' && url.startsWith(origin + '/')) url = url.slice(origin.length);
  return bounded(url, MAX_VALUE);
}

function stepName(el, tag, place) {
  const id = masked(attr(el, 'id') || ''), classes = masked(attr(el, 'class') || '').split(/\s+/).filter(Boolean).join('.');
  return tag + (id ? '#' + id.slice(0, MAX_CLASSES) : '') + (classes ? '.' + (classes.length > MAX_CLASSES ? classes.slice(0, MAX_CLASSES) + digest(classes) : classes) : '') + '[' + place + ']';
}

// ownText returns what an element says itself, without the elements in it; of a control, what it shows.
function ownText(el, tag) {
  if (tag === 'select' && isHTML(el)) return chosenOptions(el, 'combobox').map((o) => raw(own(o, 'label') || '')).join(', ');
  if (tag === 'input') {
    const type = inputType(el);
    if (type === 'checkbox' || type === 'radio') return own(el, 'indeterminate') ? 'mixed' : own(el, 'checked') ? 'checked' : 'not checked';
    if (type === 'file') return raw((own(el, 'value') || '').replace(/^.*[\\/]/, ''));
    return raw(own(el, 'value') || attr(el, 'placeholder') || '');
  }
  if (tag === 'textarea') return raw(own(el, 'value') || attr(el, 'placeholder') || '');
  if (tag === 'progress' || tag === 'meter') return attr(el, 'value') || '';
  if (OPAQUE.has(tag) || tag === 'svg') return '';
  let text = '';
  for (const child of flatChildren(el)) text += nodeType(child) === 3 ? nodeValue(child) : ' ';
  return raw(text);
}

// looksOf answers an element's styles that are worth telling, and what its children inherit.
function looksOf(el, style, up, origin) {
  const styles = {}, looks = { ...up };
  const record = (name, value) => (styles[dashed(name)] = bounded(value, MAX_VALUE));
  const svg = isSVG(el);
  for (const name of INHERITED) {
    if (!svg && (name === 'fill' || name === 'stroke')) continue;
    const value = (name === 'fill' || name === 'stroke') && style[name] === style.color ? 'currentcolor' : style[name];
    if (value !== up[name]) record(name, (looks[name] = value));
  }
  const font = style.font;
  if (!font || font !== up.font) {
    looks.font = font;
    for (const name of FONT) if (style[name] !== up[name]) record(name, (looks[name] = style[name]));
  }
  const { color } = style;
  for (const name in PLAIN) {
    const value = style[name];
    if (value !== PLAIN[name]) record(name, /Image$/.test(name) ? ownAddresses(value, origin) : name === 'boxShadow' || name === 'filter' ? value.replaceAll(color, 'currentcolor') : value);
  }
  if (style.order !== '0') record('order', style.order);
  if (styles.margin) autoMargins(el, styles);
  const border = style.borderWidth;
  if (border !== '0px') {
    record('borderWidth', border);
    record('borderStyle', style.borderStyle);
    if (style.borderColor !== color) record('borderColor', style.borderColor.replaceAll(color, 'currentcolor'));
  }
  if (style.outlineStyle !== 'none') record('outline', style.outline);
  if (/flex|grid/.test(style.display)) for (const name in FLEX) if (style[name] !== FLEX[name]) record(name, style[name]);
  return [styles, looks];
}

const ownAddresses = (value, origin) => value.replace(/url\("([^"]*)"\)/g, (_, url) => 'url("' + address(url, origin) + '")');

// autoMargins takes back what the browser made of auto: it follows from the widths around the element.
function autoMargins(el, styles) {
  if (!/[1-9]/.test(styles.margin) || typeof el.computedStyleMap !== 'function') return;
  const map = Element.prototype.computedStyleMap.call(el);
  const sides = ['top', 'right', 'bottom', 'left'].map((side) => String(map.get('margin-' + side)));
  if (sides.includes('auto')) styles.margin = sides.join(' ');
}

// pseudoLooks records what CSS draws before and after an element.
function pseudoLooks(el, own, styles, origin) {
  for (const pseudo of ['::before', '::after']) {
    const style = styleOf(el, pseudo), content = style.content;
    if (!content || content === 'none' || content === 'normal' || style.display === 'none') continue;
    styles[pseudo + ' content'] = bounded(ownAddresses(content, origin), MAX_VALUE);
    const { color } = style, border = style.borderWidth !== '0px';
    for (const name of PSEUDO) {
      const value = style[name];
      if (name === 'color' ? value === own.color : value === NONE[name] || (!border && name.startsWith('border'))) continue;
      styles[pseudo + ' ' + dashed(name)] = value === color && name !== 'color' ? 'currentcolor' : bounded(ownAddresses(value, origin), MAX_VALUE);
    }
  }
}

// layout answers the elements of a document in its order: p(arent), g (tag, id, classes and place), s(elector), b(ox) in CSS pixels of the
// document (of the frame's window in a frame; without size where it is scrolled or cut away), t(ext), i(mage), c (styles).
OPS.layout = (doc, scope, { values }) => {
  index(doc, null);
  state.secrets = secretTexts(values);
  const walk = new layoutWalk(doc, values);
  walk.read();
  return { elements: walk.out, frames: walk.frames, capped: walk.capped };
};
