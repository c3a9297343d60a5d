// The index of a document: every visible element that has a role, and every run of text, in reading order.
//
// Printing and resolving both work on it, so they agree by construction.

// One walk's state; an engine call begins with a fresh one.
let state = null;

const newState = () => ({
  roles: new Map(), // element → role or null
  names: new Map(), // element → accessible name
  display: new Map(), // visible element → its computed display
  clickable: new Set(), // elements without a role that are meant to be clicked
  items: [], // the index, in reading order
  stack: [], // the path of the walk
  run: null, // the run of text that is still growing
  seen: 0, // nodes visited
  drawn: 0, // visible elements and texts met
  capped: false, // whether the page was larger than the limits
  scope: null, // [first, end) in items of the subtree that is wanted
  moved: false, // whether items stand in another order than in the document
});

const MAX_NODES = 60000;
const MAX_DEPTH = 900;

const CONTROLS_BY_ROLE = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'switch', 'slider',
  'spinbutton', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'option', 'treeitem', 'scrollbar', 'progressbar', 'meter',
  'clickable']);
const KEPT = new Set(['main', 'navigation', 'banner', 'contentinfo', 'complementary', 'region', 'form', 'search', 'dialog',
  'alertdialog', 'alert', 'status', 'log', 'timer', 'marquee', 'tablist', 'menu', 'menubar', 'toolbar', 'tree', 'treegrid', 'grid',
  'table', 'tabpanel', 'radiogroup', 'listbox', 'feed', 'application']);
const PROSE = new Set(['paragraph', 'listitem', 'blockquote', 'term', 'definition', 'caption', 'note']);
const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
// Roles that only dress their text: they make no line, and text runs through them.
const DRESS = new Set(['generic', 'presentation', 'none', 'strong', 'emphasis', 'code', 'mark', 'subscript', 'superscript', 'deletion',
  'insertion', 'time', 'document', 'math']);
// Elements whose children are not part of the page's text.
const OPAQUE = new Set(['iframe', 'frame', 'video', 'audio', 'textarea', 'object', 'embed', 'canvas']);
const SVG_UNSEEN = new Set(['title', 'desc', 'metadata', 'defs', 'symbol', 'style', 'script', 'clippath', 'mask', 'pattern']);

// index reads a document. scope, if given, is an element; the items in it can be distinguished from the others afterwards.
function index(doc, scope) {
  state = newState();
  const root = rootElement(doc);
  if (root) {
    visit(root, atRoot(root), scope);
  }
  endRun();
  dropPartsOfControls();
  return state.items;
}

// atRoot returns what surrounds the root element: nothing.
const atRoot = (root) => ({ item: null, prose: null, cell: null, row: null, label: null, block: root, pointer: false, svg: false, select: false });

const skips = (tag, at) => IGNORED.has(tag) || (at.svg && SVG_UNSEEN.has(tag));

// enter returns how an element is drawn; null where the walk passes it by, with all that is in it.
function enter(el, tag, at) {
  const style = styleOf(el);
  const display = style.display;
  if (display === 'none' || (attr(el, 'aria-hidden') || '').toLowerCase() === 'true') return null;
  const boxless = display === 'contents' || tag === 'slot' || (at.select && (tag === 'option' || tag === 'optgroup'));
  if (!boxless && !rendered(el)) return null;
  return { style, display, visible: boxless || style.visibility === 'visible' };
}

// visit enters one element. at is what its surroundings are: the nearest item, the cell and row it stands in, and so on.
function visit(el, at, scope) {
  const tag = tagOf(el);
  if (skips(tag, at)) return;
  if (++state.seen > MAX_NODES || state.stack.length > MAX_DEPTH) {
    state.capped = true;
    return;
  }
  const entered = enter(el, tag, at);
  if (!entered) return;
  const { style, display, visible } = entered;
  const first = state.items.length, drawn = state.drawn;
  if (visible) state.display.set(el, display);
  const role = visible ? lineRole(el, tag, style, at) : null;
  const breaks = role ? breaksText(role, el) : !at.svg && !INLINE.has(display);
  if (breaks) endRun();
  const item = role && addItem(el, role, at, style);
  if (visible && display !== 'contents') state.drawn++;
  state.stack.push(el);
  visitChildren(el, tag, visible, style, surroundings(el, tag, item, at, display, style), scope);
  state.stack.pop();
  if (breaks) endRun();
  else if (tag === 'br' || (at.svg && tag === 'text')) spaceRun();
  if (state.run) state.run.low = Math.min(state.run.low, state.stack.length - 1);
  if (display === 'contents' && tag !== 'slot' && state.drawn === drawn) retract(el, item);
  if (el === scope) state.scope = [first, state.items.length];
}

// retract takes back an element that has no box and nothing visible in it.
function retract(el, item) {
  state.display.delete(el);
  state.clickable.delete(el);
  if (item) item.gone = true;
}

const isOpaque = (tag, visible) => OPAQUE.has(tag) || (tag === 'select' && !visible);
const isClosed = (el, tag) => tag === 'details' && !hasAttr(el, 'open');
const skipsText = (style) => style.contentVisibility === 'hidden' && !INLINE.has(style.display);

function visitChildren(el, tag, visible, style, at, scope) {
  if (isOpaque(tag, visible)) return;
  const closed = isClosed(el, tag);
  const skipped = skipsText(style);
  for (const child of asSeen(style, flatChildren(el))) {
    if (nodeType(child) === 1) {
      if (closed && tagOf(child) !== 'summary') continue;
      visit(child, at, scope);
    } else if (visible && !closed && !skipped && !at.select) {
      addText(child, at);
    }
  }
}

// surroundings returns what an element is to its children.
function surroundings(el, tag, item, at, display, style) {
  const svg = tag === 'svg' || (at.svg && tag !== 'foreignobject');
  const pointer = style.cursor === 'pointer';
  const plain = !item && INLINE.has(display) && svg === at.svg && pointer === at.pointer && tag !== 'label' && tag !== 'select';
  if (plain) return at;
  const inner = { ...at, svg, pointer };
  if (tag === 'label') inner.label = el;
  if (tag === 'select') inner.select = true;
  if (!svg && !INLINE.has(display)) {
    inner.block = el;
    inner.prose = null;
  }
  if (!item) return inner;
  const role = item.role;
  inner.item = item;
  inner.prose = null;
  if (PROSE.has(role)) {
    inner.block = el;
    inner.prose = item;
  } else if (CELLS.has(role)) {
    inner.cell = item;
  } else if (role === 'row') {
    inner.row = item;
    inner.cell = null;
  } else if (CONTROLS_BY_ROLE.has(role) || KEPT.has(role)) {
    inner.cell = null;
  }
  return inner;
}

// lineRole returns the role under which an element can stand in a line, or null.
function lineRole(el, tag, style, at) {
  if (tag === 'iframe' || tag === 'frame') return 'frame';
  const role = roleOf(el);
  if (role && !DRESS.has(role)) return role;
  if (tag === 'html' || tag === 'body' || at.svg) return null;
  const editable = attr(el, 'contenteditable');
  if (editable !== null && editable.toLowerCase() !== 'false') return 'textbox';
  if (!asksForClicks(el, style, at) && !(tag === 'summary' && isFirstSummary(el))) return null;
  state.clickable.add(el);
  return 'clickable';
}

// asksForClicks looks for what makes a plain element a control: a handler in the markup, a hand cursor of its own, or a tab stop that is
// not there for scrolling.
function asksForClicks(el, style, at) {
  if (hasAttr(el, 'onclick') || (style.cursor === 'pointer' && !at.pointer)) return true;
  return tabIndex(el) >= 0 && !/auto|scroll/.test(style.overflow);
}

function isFirstSummary(el) {
  const parent = parentOf(el);
  if (!parent || tagOf(parent) !== 'details') return false;
  for (let before = prevElement(el); before; before = prevElement(before)) if (tagOf(before) === 'summary') return false;
  return true;
}

// breaksText reports whether text before, in and after an element are separate runs. An unnamed picture interrupts nothing.
function breaksText(role, el) {
  if (role !== 'img') return role !== 'term' || !INLINE.has(state.display.get(el));
  return hasAttr(el, 'alt') || hasAttr(el, 'title') || named(el) || tagOf(el) === 'svg';
}

const newItem = (el, role, at) => ({ el, role, parent: at.item, row: at.row, cell: at.cell, kids: [], parts: [], cells: [], at, gone: false });

function addItem(el, role, at, style) {
  const item = newItem(el, role, at);
  item.active = state.clickable.has(el) || asksForClicks(el, style, at);
  if (CELLS.has(role) && at.row) at.row.cells.push(item);
  if (role === 'img' && at.cell) at.cell.parts.push(item);
  if (at.item) at.item.kids.push(item);
  state.items.push(item);
  return item;
}

// addText lets the current run grow by a text node, or begins one.
function addText(node, at) {
  state.seen++;
  const words = nodeValue(node);
  if (!/\S/.test(words)) return spaceRun();
  state.drawn++;
  const here = state.stack.length - 1;
  let run = state.run;
  if (!run) {
    run = { el: null, role: 'text', parent: at.item, kids: [], at, gone: false, words: '', nodes: [], top: here, low: here, prose: at.prose, cell: at.cell };
    state.run = run;
    state.items.push(run);
    if (at.item) at.item.kids.push(run);
    if (at.prose) at.prose.parts.push(run);
    if (at.cell) at.cell.parts.push(run);
  }
  run.words += words;
  run.nodes.push(node);
  run.top = Math.min(run.top, run.low);
  run.low = here;
  run.el = boxed(run.top);
}

function spaceRun() {
  if (state.run) state.run.words += ' ';
}

function endRun() {
  state.run = null;
}

// boxed returns the deepest element of the walk's path, from a depth upwards, that has a box of its own.
function boxed(depth) {
  let i = depth;
  while (i > 0 && (state.display.get(state.stack[i]) === 'contents' || tagOf(state.stack[i]) === 'slot')) i--;
  return state.stack[i];
}

function labelsShownControl(el) {
  const control = el instanceof HTMLLabelElement && labelControl(el);
  return !!control && state.display.has(control);
}

const handAlone = (el) => !hasAttr(el, 'onclick') && !(tabIndex(el) >= 0);

// isInnerPart reports whether a plain element with a hand cursor holds all the words of the control around it: the inner part of a component,
// whose host has the role. A click on it is one on the control. What has but some of them, such as the cross that closes a tab, is a control itself.
function isInnerPart(item) {
  const host = item.parent;
  if (!host || host.gone || host.role === 'clickable' || !CONTROLS_BY_ROLE.has(host.role) || !handAlone(item.el)) return false;
  const words = bare(wordsIn(item.el));
  return words !== '' && words === bare(wordsIn(host.el));
}

// A label whose control can be seen is part of that control, whatever its cursor says; so is an inner part of a control.
function dropPartsOfControls() {
  for (const item of state.items) {
    if (item.role === 'clickable' && !item.gone && (labelsShownControl(item.el) || isInnerPart(item))) {
      item.gone = true;
      state.clickable.delete(item.el);
    }
  }
}
