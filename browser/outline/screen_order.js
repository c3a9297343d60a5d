// The order of what stands on the screen, within the outline: see reading_order.js.

const MIN_PLACED = 3; // CSS pixels: what is smaller is there for those who listen

// asSeen returns the children of an element of a style as they are read: those that are placed in another order than the document's change their
// turns. What lies over others, or is pinned to the window, has no turn on the screen and keeps the document's. state.moved says that it happened.
function asSeen(style, children) {
  if (children.length < 2 || INLINE.has(style.display) || style.display === 'table-row') return children;
  const boxes = new Map();
  for (const child of children) {
    if (nodeType(child) !== 1) continue;
    const [first] = Element.prototype.getClientRects.call(child), box = first || (styleOf(child).display === 'contents' ? placeOf(child) : null);
    if (box && box.width >= MIN_PLACED && box.height >= MIN_PLACED) boxes.set(child, box);
  }
  const flow = flowOf(style);
  if (boxes.size < 2 || isInOrder([...boxes.values()], flow)) return children;
  const turning = uncovered(turningOf(style, [...boxes.keys()]), boxes), placed = turning.map((el) => boxes.get(el));
  if (turning.length < 2 || isInOrder(placed, flow)) return children;
  state.moved = true;
  const order = readingOrder(placed, flow), turns = new Set(turning);
  let next = 0;
  return children.map((child) => (turns.has(child) ? turning[order[next++]] : child));
}

const isInOrder = (boxes, flow) => readingOrder(boxes, flow).every((n, i) => n === i);

// turningOf lists the elements that have turns of their own: all that is laid out by a container that orders its children; else the blocks, if
// something is placed among them.
function turningOf(container, elements) {
  const styles = new Map(elements.map((el) => [el, styleOf(el)])), free = elements.filter((el) => !/fixed|sticky/.test(styles.get(el).position) && !isOutside(el));
  if (/flex|grid|^(inline-)?table$|^table-.*-group$/.test(container.display)) return free;
  return free.some((el) => isPlaced(styles.get(el))) ? free.filter((el) => !/^inline/.test(styles.get(el).display) || isPlaced(styles.get(el))) : [];
}

const isPlaced = (style) => style.position === 'absolute' || (style.position === 'relative' && [style.top, style.right, style.bottom, style.left].some((side) => parseFloat(side))) ||
  style.transform !== 'none' || style.translate !== 'none' || style.float !== 'none';

// isOutside reports whether an element stands where nobody can scroll to: left of the page, or above it.
function isOutside(el) {
  const win = windowOf(ownerDocument(el)), r = Element.prototype.getBoundingClientRect.call(el);
  return r.bottom + win.scrollY <= 0 || (r.right + win.scrollX <= 0 && styleOf(rootElement(ownerDocument(el))).direction !== 'rtl');
}

// uncovered lists those of the elements that lie over no other one.
function uncovered(elements, boxes) {
  const byTop = [...elements].sort((a, b) => boxes.get(a).top - boxes.get(b).top), over = new Set();
  byTop.forEach((el, i) => {
    const a = boxes.get(el);
    for (let k = i + 1; k < byTop.length && boxes.get(byTop[k]).top < a.bottom; k++) {
      const b = boxes.get(byTop[k]), width = Math.min(a.right, b.right) - Math.max(a.left, b.left), height = Math.min(a.bottom, b.bottom) - b.top;
      if (width > 0 && height > 0 && width * height > Math.min(a.width * a.height, b.width * b.height) / 2) over.add(el).add(byTop[k]);
    }
  });
  return elements.filter((el) => !over.has(el));
}

// inDocument returns items in the order of the document, by which lines are numbered.
function inDocument(items) {
  if (!state.moved) return items;
  const rank = (a, b) => (a === b ? 0 : Node.prototype.compareDocumentPosition.call(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
  return (state.inDocument ??= [...items].sort((a, b) => rank(a.el, b.el)));
}
