// Scrollers that hold more than is rendered: lists that draw only the rows in view. What is not rendered is found by no look, so an absence or a
// count says nothing of it before the scroller was scrolled through.

const MAX_FILLING = 20000; // elements of one scroller

const offsetsOf = new Map(); // the scrollers that are scrolled through, and where each stood before

const isRoot = (box) => box === scrollerOf(ownerDocument(box));
const viewHeight = (box) => (isRoot(box) ? windowOf(ownerDocument(box)).innerHeight : clientHeightOf(box));

// holdsUnrendered reports whether an element scrolls, and holds what is not rendered: a whole view of it has nothing in it, ARIA counts more rows
// than there are, or a frame is loaded only when it is scrolled to.
function holdsUnrendered(box) {
  if (scrollHeightOf(box) <= viewHeight(box) + 1) return false;
  if (isRoot(box)) return viewportScrolls(ownerDocument(box))[1] && (hasEmptyView(box) || [...allIn(box, 'iframe')].some(isUnloaded));
  return /auto|scroll/.test(styleNow(box).overflowY) && (countsMore(box) || hasEmptyView(box));
}

// countsMore reports whether ARIA says that a grid or list in a scroller, or around it, has more entries than are there.
function countsMore(box) {
  const grids = [...allIn(box, '[aria-rowcount]')], around = Element.prototype.closest.call(box, '[aria-rowcount]');
  if (!grids.length && around) grids.push(around);
  if (grids.some((grid) => Number(attr(grid, 'aria-rowcount')) > allIn(grid, 'tr, [role=row]').length)) return true;
  const counted = [...allIn(box, '[aria-setsize]')];
  return counted.some((el) => Number(attr(el, 'aria-setsize')) > counted.length);
}

// hasEmptyView reports whether nothing is drawn in some stretch of a scroller that is as high as what is seen of it at once.
function hasEmptyView(box) {
  return isEmptyFor(box, viewHeight(box), boxOf(box).top - (isRoot(box) ? 0 : scrollTopOf(box)), scrollHeightOf(box));
}

// isEmptyFor reports whether nothing is drawn for the height of a view in an area, which begins at a place in the window and has a height.
function isEmptyFor(area, view, start, height) {
  const filled = [], open = [area];
  for (let n = 0; open.length; ) {
    for (const el of allIn(open.pop(), '*')) {
      if (++n > MAX_FILLING) return false;
      const shadow = shadowRootOf(el);
      if (shadow) open.push(shadow);
      if (!fills(el)) continue;
      const r = boxOf(el);
      if (r.width > 0 && r.height > 0) filled.push([r.top - start, r.bottom - start]);
    }
  }
  filled.sort((a, b) => a[0] - b[0]);
  let end = 0;
  for (const [top, bottom] of [...filled, [height, 0]]) {
    if (top - end >= view) return true;
    end = Math.max(end, bottom);
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

// unrenderedIn lists the scrollers of a document that hold rows which are not rendered.
function unrenderedIn(doc) {
  const out = [], open = [doc];
  for (let n = 0; open.length; ) {
    for (const el of elementsOf(open.pop())) {
      if (++n > MAX_BLIND) return out;
      const shadow = shadowRootOf(el);
      if (shadow) open.push(shadow);
      if (scrollHeightOf(el) > clientHeightOf(el) + 1 && holdsUnrendered(el)) out.push(el);
    }
  }
  return out;
}

// unrenderedAround names the scroller around an element that holds rows which are not rendered; '' where there is none. What a window scrolls
// counts as far as it is the element's list: something around the element, in which a whole view is empty.
function unrenderedAround(el) {
  let list = null;
  for (let box = flatParent(el); box; box = flatParent(box)) {
    if (isRoot(box)) return list ? nameFor(list) : '';
    if (scrollHeightOf(box) > clientHeightOf(box) + 1 && holdsUnrendered(box)) return nameFor(box);
    const root = scrollerOf(ownerDocument(box)), r = boxOf(box);
    if (root && box !== bodyOf(ownerDocument(box)) && r.height >= 2 * viewHeight(root) && isEmptyFor(box, viewHeight(root), r.top, r.height)) list ||= box;
  }
  return '';
}

// scrollers answers the scrollers that hold rows which are not rendered, by their places in the question for one of them.
OPS.scrollers = (doc) => withRules(() => {
  offsetsOf.clear();
  for (const box of unrenderedIn(doc)) offsetsOf.set(box, [scrollLeftOf(box), scrollTopOf(box)]);
  return { names: [...offsetsOf.keys()].map(nameFor) };
});

// scrollTo scrolls one of these scrollers, and answers where it stands and how high it is; gone where the page has taken it away.
OPS.scrollTo = (doc, scope, { piece, y }) => withRules(() => {
  const box = [...offsetsOf.keys()][piece];
  if (!box || !isConnected(box)) return { gone: true };
  Element.prototype.scrollTo.call(box, { left: scrollLeftOf(box), top: y, behavior: 'instant' });
  return { top: scrollTopOf(box), view: viewHeight(box), height: scrollHeightOf(box) };
});

// scrollBack puts all of them back to where they stood.
OPS.scrollBack = () => {
  for (const [box, [left, top]] of offsetsOf) Element.prototype.scrollTo.call(box, { left, top, behavior: 'instant' });
  offsetsOf.clear();
  return {};
};
