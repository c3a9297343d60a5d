// What a page says in figures: every run of text with its place, its size and the elements around it. What belongs together and what it
// means is decided elsewhere.

const MAX_READINGS = 5000;
const MAX_BOXES = 20000;
const MAX_TITLES = 500;

const newRange = (doc) => Document.prototype.createRange.call(doc);
const windowOf = getter(Document.prototype, 'defaultView');
const colSpan = getter(HTMLTableCellElement.prototype, 'colSpan');
const spanOf = (el) => (el instanceof HTMLTableCellElement ? colSpan(el) : Number(attr(el, 'aria-colspan')) || 1);
const raw = (s) => s.toWellFormed().replace(UNSEEN, '').replace(/[ \t\r\n\f]+/g, ' ').trim();
const labelOf = (el) => raw(idRefs(el, 'aria-labelledby').map((ref) => textContent(ref)).join(' ') || attr(el, 'aria-label') || '');

// boxes numbers the elements around the texts, each with the one that it stands in.
function boxRegister(scope) {
  const numbers = new Map(), list = [];
  const add = (el) => {
    if (!el || numbers.has(el) || list.length >= MAX_BOXES) return el ? numbers.get(el) ?? -1 : -1;
    const parent = add(flatParent(el));
    const role = roleOf(el) || '';
    const box = { p: parent, g: tagOf(el), r: role, n: labelOf(el), t: attr(el, 'data-testid') || '', k: attr(el, 'data-kpi') || '', i: attr(el, 'id') || '', c: -1, w: 0, z: el === scope ? 1 : 0 };
    if (CELLS.has(role) || el instanceof HTMLTableCellElement) {
      box.w = spanOf(el);
      box.c = Number(attr(el, 'aria-colindex')) - 1;
      if (!(box.c >= 0)) {
        box.c = 0;
        for (let e = prevElement(el); e; e = prevElement(e)) box.c += spanOf(e);
      }
    }
    numbers.set(el, list.length);
    return list.push(box) - 1;
  };
  return { add, list };
}

function rectOf(thing, win) {
  const r = (thing instanceof Element ? Element : Range).prototype.getBoundingClientRect.call(thing);
  return [r.x + win.scrollX, r.y + win.scrollY, r.width, r.height].map((n) => Math.round(n * 10) / 10);
}

function fontOf(el) {
  const style = styleOf(el);
  return { f: parseFloat(style.fontSize) || 0, h: Number(style.fontWeight) || 400 };
}

// runFont is the font of a run's digits, or of its beginning.
function runFont(run) {
  let best = null;
  for (const node of run.nodes) {
    const parent = parentNode(node);
    if (nodeType(parent) !== 1 || (best && !/\p{Nd}/u.test(nodeValue(node)))) continue;
    const font = fontOf(parent);
    if (!best || font.f > best.f || !best.digits) best = { ...font, digits: /\p{Nd}/u.test(nodeValue(node)) };
  }
  return best || { f: 0, h: 400 };
}

// stable is a CSS selector that finds an element whatever it shows, or ''.
function stable(el) {
  for (const name of ['data-kpi', 'data-testid', 'id']) {
    const value = attr(el, name);
    if (!value) continue;
    const css = name === 'id' ? '#' + CSS.escape(value) : '[' + name + '="' + value.replace(/[\\"]/g, '\\$&') + '"]';
    if (allIn(treeRoot(el), css).length === 1) return 'css=' + css;
  }
  return '';
}

OPS.readings = (doc, scope) => {
  index(doc, null);
  const win = windowOf(doc), boxes = boxRegister(scope), texts = [], frames = [];
  let canvases = 0, capped = state.capped;
  const push = (reading) => (texts.length < MAX_READINGS ? texts.push(reading) : (capped = true));
  for (const item of state.items) {
    if (item.gone) continue;
    if (item.role === 'frame') frames.push({ h: selectorOf(item), b: rectOf(item.el, win), x: boxes.add(item.el) });
    if (item.role !== 'text') continue;
    const range = newRange(doc), last = item.nodes.at(-1);
    range.setStart(item.nodes[0], 0);
    range.setEnd(last, nodeValue(last).length);
    const font = runFont(item);
    push({ t: raw(item.words).slice(0, 400), s: selectorOf(item), z: stable(item.el), k: 'text', x: boxes.add(item.el), b: rectOf(range, win), f: font.f, h: font.h });
  }
  for (const el of [...state.display.keys()]) {
    const tag = tagOf(el);
    if (tag === 'canvas') canvases++;
    const label = labelOf(el);
    if (/\p{Nd}/u.test(label)) push({ t: label.slice(0, 400), s: cssPath(el), z: stable(el), k: 'name', x: boxes.add(el), b: rectOf(el, win), f: 0, h: 400 });
    if (tag === 'input' && (own(el, 'readOnly') || own(el, 'disabled')) && !secretField(el) && TYPED.has(inputType(el))) {
      const font = fontOf(el);
      push({ t: raw(own(el, 'value') || ''), s: cssPath(el), z: stable(el), k: 'text', x: boxes.add(el), b: rectOf(el, win), f: font.f, h: font.h });
    }
    if (tag === 'svg') {
      for (const title of [...allIn(el, 'title, desc')].slice(0, MAX_TITLES)) {
        push({ t: raw(textContent(title)).slice(0, 400), s: cssPath(el), z: '', k: 'title', x: boxes.add(parentOf(title)), b: rectOf(el, win), f: 0, h: 400 });
      }
    }
  }
  const root = rootElement(doc);
  return { texts, boxes: boxes.list, frames, canvases, capped, lang: (root && attr(root, 'lang')) || '' };
};
