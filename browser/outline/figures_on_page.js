// What a page says in figures: every run of text with its place, its size and the elements around it. What belongs together and what it
// means is decided elsewhere.

const MAX_READINGS = 5000;
const MAX_BOXES = 20000;
const MAX_TITLES = 500;
const MAX_WRITINGS = 8;

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
    const box = { p: parent, g: tagOf(el), r: role, n: labelOf(el), t: attr(el, 'data-testid') || '', k: attr(el, 'data-kpi') || '', i: attr(el, 'id') || '', l: attr(el, 'lang') || '', c: -1, w: 0, z: el === scope ? 1 : 0 };
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

// partsFont returns the font of a run's digits, or of its beginning.
function partsFont(parts) {
  let best = null;
  for (const part of parts) {
    if (!part.font || (best && !DIGIT.test(part.text))) continue;
    if (!best || part.font > best.f || !best.digits) best = { f: part.font, h: part.weight, digits: DIGIT.test(part.text) };
  }
  return best || { f: 0, h: 400 };
}

// partsRect returns where the parts of a run stand.
function partsRect(parts, win) {
  const rects = parts.filter((p) => p.rect).map((p) => p.rect);
  if (!rects.length) return rectOf(parts.find((p) => p.el).el, win);
  const x = Math.min(...rects.map((r) => r.x)), y = Math.min(...rects.map((r) => r.y));
  return [x + win.scrollX, y + win.scrollY, Math.max(...rects.map((r) => r.x + r.width)) - x, Math.max(...rects.map((r) => r.y + r.height)) - y].map((n) => Math.round(n * 10) / 10);
}

// runHolder returns the innermost element with a box of its own that holds all parts of a run.
function runHolder(parts) {
  const chains = [...new Set(parts.filter((p) => p.el).map((p) => p.el))].map((el) => {
    const chain = [];
    for (let e = el; e; e = flatParent(e)) chain.unshift(e);
    return chain;
  });
  let depth = Math.min(...chains.map((c) => c.length)) - 1;
  while (depth > 0 && chains.some((c) => c[depth] !== chains[0][depth])) depth--;
  while (depth > 0 && (styleOf(chains[0][depth]).display === 'contents' || tagOf(chains[0][depth]) === 'slot')) depth--;
  return chains[0][depth];
}

// What changed on the page: each change has a number, and is known for the nodes that it brought or took. Texts that are replaced by the
// same ones did not change.
const stirred = new WeakMap();
const emptied = new WeakMap();
const stirredRoots = new WeakSet();
let stirs = 0;

function watchTexts(doc) {
  for (const root of rootsOf(doc)) {
    if (stirredRoots.has(root)) continue;
    stirredRoots.add(root);
    new MutationObserver(noteTexts).observe(root, { subtree: true, childList: true, characterData: true, characterDataOldValue: true });
  }
}

function noteTexts(records) {
  const lists = new Map(), texts = new Map();
  for (const record of records) {
    if (record.type === 'characterData') {
      if (!texts.has(record.target)) texts.set(record.target, record.oldValue);
      continue;
    }
    if (!lists.has(record.target)) lists.set(record.target, { gone: '', come: '', added: [] });
    const list = lists.get(record.target);
    for (const node of record.removedNodes) list.gone += nodeType(node) === 1 || nodeType(node) === 3 ? textContent(node) : '';
    for (const node of record.addedNodes) {
      list.come += nodeType(node) === 1 || nodeType(node) === 3 ? textContent(node) : '';
      list.added.push(node);
    }
  }
  for (const [node, old] of texts) if (nodeValue(node) !== old) stirred.set(node, { n: ++stirs, gone: '' });
  for (const [target, { gone, come, added }] of lists) {
    if (gone === come) continue;
    stirs++;
    for (const node of added) stirred.set(node, { n: stirs, gone });
    if (!added.length) emptied.set(target, stirs);
  }
}

// lastStir returns the number of the last change at a run: of its texts, of an element around them that came and did not bring back what had
// stood in its place, or of one that lost a text.
function lastStir(parts) {
  let last = 0;
  for (const { node, el } of parts) {
    if (!el) continue;
    last = Math.max(last, emptied.get(el) || 0, (node && stirred.get(node)?.n) || 0);
    const words = node ? nodeValue(node).trim() : '';
    for (let e = el; e; e = flatParent(e)) {
      const change = stirred.get(e);
      if (change && change.n > last && !change.gone.includes(words)) last = change.n;
    }
  }
  return last;
}

// stable returns a CSS selector that finds an element whatever it shows, or ''.
function stable(el) {
  for (const name of ['data-kpi', 'data-testid', 'id']) {
    const value = attr(el, name);
    if (!value) continue;
    const css = name === 'id' ? '#' + CSS.escape(value) : '[' + name + '="' + value.replace(/[\\"]/g, '\\$&') + '"]';
    if (allIn(treeRoot(el), css).length === 1) return 'css=' + css;
  }
  return '';
}

const PICTURES = new Set(['img', 'canvas', 'svg', 'video', 'object', 'embed']);

// mayHoldDigits distinguishes pictures in which digits can be read, or one digit, from icons.
const mayHoldDigits = ([, , width, height]) => height >= 10 && (width >= 40 || (width >= 20 && width >= 1.3 * height) || (width >= 4 && height >= 1.3 * width));

// paintedAs says what an element without a text paints, where that may be digits; '' where it paints nothing.
function paintedAs(el) {
  const tag = tagOf(el);
  if (PICTURES.has(tag)) return 'a picture (' + tag + ')';
  if (firstElement(el) || textContent(el).trim()) return '';
  const style = styleOf(el);
  return [style.backgroundImage, style.maskImage, style.borderImageSource].some((image) => image && image !== 'none') ? 'a picture of its style' : '';
}

let figureScopes = []; // elements that the next reading is asked about, by name

// asked names an element that the next reading is asked about.
OPS.asked = (doc, scope, { name }) => {
  figureScopes.push({ name, el: scope });
  return {};
};

// layersOf parts elements into lists in which none is in another: what is asked about one must not part the texts of the other.
function layersOf(elements) {
  const layers = [], holds = (a, b) => a !== b && Node.prototype.contains.call(a, b);
  for (const el of new Set(elements)) {
    const layer = layers.find((some) => !some.some((other) => holds(other, el) || holds(el, other)));
    if (layer) layer.push(el);
    else layers.push([el]);
  }
  return layers;
}

OPS.readings = (doc, scope, ask) => {
  const scopes = figureScopes;
  figureScopes = [];
  index(doc, null);
  const win = windowOf(doc), boxes = boxRegister(scope), texts = [], frames = [];
  let canvases = 0, capped = state.capped;
  const push = (reading) => (texts.length < MAX_READINGS ? texts.push(reading) : (capped = true));
  const lines = new Map();
  for (const item of state.items) {
    if (item.gone) continue;
    if (item.role === 'frame') frames.push({ h: selectorOf(item), b: rectOf(item.el, win), x: boxes.add(item.el) });
    if (item.role === 'text') for (const node of item.nodes) lines.set(node, item);
  }
  watchTexts(doc);
  const add = (push, parts, kind, why) => {
    if (!parts.some((p) => p.text.replace(UNSEEN, '').trim())) {
      const drawn = parts.find((p) => p.doubt);
      if (drawn) push({ t: '', s: cssPath(drawn.el), z: stable(drawn.el), k: 'picture', x: boxes.add(drawn.el), b: rectOf(drawn.el, win), f: 0, h: 400, y: why, d: 'a counter of CSS' });
      return;
    }
    const { text, cuts, doubt } = written(parts), font = partsFont(parts), el = runHolder(parts), items = new Set(parts.filter((p) => p.node).map((p) => lines.get(p.node)));
    const [item] = items, one = items.size === 1 && item;
    push({ t: [...text].slice(0, 400).join(''), s: one ? selectorOf(item) : cssPath(el), z: stable(one ? item.el : el), k: kind, x: boxes.add(el), b: partsRect(parts, win), f: font.f, h: font.h, c: cuts, y: why, d: doubt, m: lastStir(parts) });
  };
  const addRuns = (push, elements) => {
    for (const run of new figureWalk(doc, elements).runs) {
      const seen = (i, step) => {
        for (let n = i + step; run[n]; n += step) if (run[n].el) return !run[n].why;
        return true;
      };
      add(push, run.filter((p, i) => (p.el ? !p.why : !p.text || (seen(i, -1) && seen(i, 1)))), 'text', '');
      const unseen = run.filter((p) => p.why);
      if (unseen.length) add(push, unseen, 'unseen', unseen.find((p) => DIGIT.test(p.text))?.why || unseen[0].why);
    }
  };
  addRuns(push, scope ? [scope] : []);
  const runs = texts.length, layers = layersOf(scopes.map((s) => s.el)), parted = layers.map((layer) => {
    const list = [];
    addRuns((reading) => list.length < MAX_READINGS && list.push(reading), layer);
    return list;
  });
  for (const el of [...state.display.keys()]) {
    const tag = tagOf(el);
    if (tag === 'canvas') canvases++;
    const painted = paintedAs(el);
    if (painted) {
      const box = rectOf(el, win);
      if (mayHoldDigits(box)) push({ t: '', s: cssPath(el), z: stable(el), k: 'picture', x: boxes.add(el), b: box, f: 0, h: 400, d: painted });
    }
    const label = labelOf(el);
    if (/\p{Nd}/u.test(label)) push({ t: label.slice(0, 400), s: cssPath(el), z: stable(el), k: 'name', x: boxes.add(el), b: rectOf(el, win), f: 0, h: 400 });
    if (tag === 'input' && (own(el, 'readOnly') || own(el, 'disabled')) && !secretField(el) && TYPED.has(inputType(el))) {
      const font = fontOf(el);
      const why = new sight(doc, (e) => styleOf(e)).ofText(el, Element.prototype.getBoundingClientRect.call(el), true);
      push({ t: raw(own(el, 'value') || ''), s: cssPath(el), z: stable(el), k: why ? 'unseen' : 'text', x: boxes.add(el), b: rectOf(el, win), f: font.f, h: font.h, y: why });
    }
    if (tag === 'svg') {
      for (const title of [...allIn(el, 'title, desc')].slice(0, MAX_TITLES)) {
        push({ t: raw(textContent(title)).slice(0, 400), s: cssPath(el), z: '', k: 'title', x: boxes.add(parentOf(title)), b: rectOf(el, win), f: 0, h: 400 });
      }
    }
  }
  const root = rootElement(doc);
  const lang = (root && attr(root, 'lang')) || '';
  const writing = [...new Set([...(ask.names || []), lang, ...boxes.list.map((b) => b.l)])].filter(Boolean).slice(0, MAX_WRITINGS).map(writingOf);
  const about = Object.fromEntries(scopes.map((s) => [s.name, [layers.findIndex((layer) => layer.includes(s.el)), boxes.add(s.el)]]));
  return { texts, own: parted.map((list) => [...list, ...texts.slice(runs)]), about, boxes: boxes.list, frames, canvases, capped, lang, writing };
};
