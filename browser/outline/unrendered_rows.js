// Scrollers that hold more than is rendered: lists that draw only the rows in view. What is not rendered is found by no look, so an absence or a
// count says nothing of it before the scroller was scrolled through.

const MAX_FILLING = 20000; // elements of one scroller

const isRoot = (box) => box === scrollerOf(ownerDocument(box));
const viewHeight = (box) => (isRoot(box) ? windowOf(ownerDocument(box)).innerHeight : clientHeightOf(box));
const viewWidth = (box) => (isRoot(box) ? windowOf(ownerDocument(box)).innerWidth : clientWidthOf(box));
const mayOverflow = (el) => scrollHeightOf(el) > clientHeightOf(el) + 1 || scrollWidthOf(el) > clientWidthOf(el) + 1;

// The two ways in which an element is scrolled: how much of it is seen at once, how much it holds, and which sides of a box count.
const WAYS = {
  __proto__: null,
  y: { view: viewHeight, size: scrollHeightOf, at: scrollTopOf, from: 'top', to: 'bottom' },
  x: { view: viewWidth, size: scrollWidthOf, at: scrollLeftOf, from: 'left', to: 'right' },
};

// waysOf lists the ways in which a person can scroll an element, since it holds more than is seen at once.
function waysOf(box) {
  const doc = ownerDocument(box), over = ['y', 'x'].filter((way) => WAYS[way].size(box) > WAYS[way].view(box) + 1);
  if (!over.length || OPAQUE.has(tagOf(box)) || tagOf(box) === 'select') return [];
  if (isRoot(box)) {
    const [x, y] = viewportScrolls(doc), may = { x, y };
    return over.filter((way) => may[way]);
  }
  if (box === bodyOf(doc) && /^visible( visible)?$/.test(styleNow(rootElement(doc)).overflow)) return []; // its overflow is the window's
  const style = styleNow(box), overflow = { x: style.overflowX, y: style.overflowY };
  return over.filter((way) => /auto|scroll/.test(overflow[way]));
}

// runsBack reports whether an element begins at the other end: on the right, or at the bottom.
function runsBack(box, way) {
  const style = styleNow(isRoot(box) ? rootElement(ownerDocument(box)) : box), flex = /flex/.test(style.display) ? style.flexDirection : '';
  if (style.writingMode.startsWith('vertical')) return way === 'x' ? style.writingMode.endsWith('rl') : style.direction === 'rtl';
  return way === 'y' ? flex === 'column-reverse' : (style.direction === 'rtl') !== (flex === 'row-reverse');
}

// originOf returns where the content of a scroller begins, in the window.
function originOf(box, way) {
  const { size, view, at, from } = WAYS[way], start = isRoot(box) ? boxOf(box)[from] : boxOf(box)[from] - at(box);
  return runsBack(box, way) ? start - (size(box) - view(box)) : start;
}

// unrenderedWays lists the ways in which a scroller holds what is not rendered: a whole view of it has nothing in it, or ARIA counts more than there
// is. A window counts in one way, the one in which pages are long: what stands beside a page leaves much of it empty.
function unrenderedWays(box) {
  const holds = (way) => (!isRoot(box) && COUNTS[way](box)) || isEmptyFor(box, way, WAYS[way].view(box), originOf(box, way), WAYS[way].size(box));
  const ways = waysOf(box);
  return (isRoot(box) ? ways.slice(0, 1) : ways).filter(holds);
}

const gridsAt = (box, name) => {
  const grids = [...allIn(box, `[${name}]`)], around = Element.prototype.closest.call(box, `[${name}]`);
  return grids.length || !around ? grids : [around];
};

// COUNTS says of each way whether ARIA counts more than there is, of a grid or list in a scroller or around it.
const COUNTS = {
  __proto__: null,
  y: (box) => {
    if (gridsAt(box, 'aria-rowcount').some((grid) => Number(attr(grid, 'aria-rowcount')) > allIn(grid, 'tr, [role=row]').length)) return true;
    const counted = [...allIn(box, '[aria-setsize]')];
    return counted.some((el) => Number(attr(el, 'aria-setsize')) > counted.length);
  },
  x: (box) => gridsAt(box, 'aria-colcount').some((grid) => {
    const rows = [...allIn(grid, 'tr, [role=row]')].slice(0, 5).map((row) => allIn(row, 'td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]').length);
    return rows.length > 0 && Number(attr(grid, 'aria-colcount')) > Math.max(...rows);
  }),
};

// drawnIn lists what draws something itself in an element, and in the open shadow roots in it; null where that is too much to ask.
function drawnIn(area) {
  const out = [], open = [area];
  for (let n = 0; open.length; ) {
    for (const el of allIn(open.pop(), '*')) {
      if (++n > MAX_FILLING) return null;
      const shadow = shadowRootOf(el);
      if (shadow) open.push(shadow);
      if (fills(el)) out.push(el);
    }
  }
  return out;
}

// isEmptyFor reports whether nothing is drawn for the length of a view in an area, which begins at a place in the window and has a length.
function isEmptyFor(area, way, view, start, length) {
  const { from, to } = WAYS[way], drawn = drawnIn(area), filled = [];
  if (!drawn) return false;
  for (const el of drawn) {
    const r = boxOf(el);
    if (r.width > 0 && r.height > 0) filled.push([r[from] - start, r[to] - start]);
  }
  filled.sort((a, b) => a[0] - b[0]);
  let end = 0;
  for (const [low, high] of [...filled, [length, 0]]) {
    if (low - end >= view) return true;
    end = Math.max(end, high);
  }
  return false;
}

// fills reports whether an element draws something itself: words, a picture, a control, or a ground where nothing is in it.
function fills(el) {
  const tag = tagOf(el);
  if (IGNORED.has(tag)) return false;
  for (let child = firstChild(el); child; child = nextSibling(child)) if (nodeType(child) === 3 && /\S/.test(nodeValue(child))) return true;
  if (['canvas', 'svg', 'object', 'embed', 'textarea', 'select', 'button', 'input'].includes(tag)) return true;
  return (!firstElement(el) || OPAQUE.has(tag)) && drawsItself(el);
}

// unrenderedAround names the scroller around an element that holds rows which are not rendered; '' where there is none. What a window scrolls
// counts as far as it is the element's list: something around the element, in which a whole view is empty.
function unrenderedAround(el) {
  let list = null;
  for (let box = flatParent(el); box; box = flatParent(box)) {
    if (isRoot(box)) return list ? nameFor(list) : '';
    if (mayOverflow(box) && unrenderedWays(box).length) return nameFor(box);
    const root = scrollerOf(ownerDocument(box)), r = boxOf(box);
    if (root && box !== bodyOf(ownerDocument(box)) && r.height >= 2 * viewHeight(root) && isEmptyFor(box, 'y', viewHeight(root), r.top, r.height)) list ||= box;
  }
  return '';
}
