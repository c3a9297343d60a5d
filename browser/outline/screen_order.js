// The order in which a person reads what stands on the screen: the places decide, not the document. Boxes whose heights overlap by more than
// half make a line; lines are read from top to bottom, and each from where lines begin. What flows in columns is read column by column.

// readingOrder returns the positions of boxes in the order in which they are read.
function readingOrder(boxes, { rtl, columns }) {
  const sideways = rtl ? [(b) => -b.right, (b) => -b.left] : [(b) => b.left, (b) => b.right], downwards = [(b) => b.top, (b) => b.bottom];
  const [[from, to], [along]] = columns ? [sideways, downwards] : [downwards, sideways];
  const rest = boxes.map((_, i) => i).sort((i, j) => from(boxes[i]) - from(boxes[j]) || i - j);
  const lines = [];
  for (const i of rest) {
    const line = lines.at(-1), first = line && boxes[line[0]], box = boxes[i];
    const overlap = first ? Math.min(to(first), to(box)) - Math.max(from(first), from(box)) : 0;
    if (first && overlap > Math.min(to(first) - from(first), to(box) - from(box)) / 2) line.push(i);
    else lines.push([i]);
  }
  return lines.flatMap((line) => line.sort((i, j) => along(boxes[i]) - along(boxes[j]) || from(boxes[i]) - from(boxes[j]) || i - j));
}

// flowOf returns how the content of an element of a style runs.
function flowOf(style) {
  const columns = style.columnCount !== 'auto' || style.columnWidth !== 'auto' ||
    (/grid/.test(style.display) && style.gridAutoFlow.startsWith('column')) ||
    (/flex/.test(style.display) && style.flexDirection.startsWith('column') && style.flexWrap !== 'nowrap');
  return { rtl: style.direction === 'rtl', columns };
}

// placeOf returns the box where an element begins to be read: the first line of an inline one, what is in it for one without a box.
function placeOf(el) {
  const [first] = Element.prototype.getClientRects.call(el);
  if (first && first.width > 0 && first.height > 0) return first;
  const range = newRange(ownerDocument(el));
  Range.prototype.selectNodeContents.call(range, el);
  return Range.prototype.getBoundingClientRect.call(range);
}

// asSeen returns the children of an element of a style as they are read: those that are alike, as entries of a list are, change their turns where
// they are placed in another order than the document's. state.moved says that it happened.
function asSeen(style, children) {
  if (children.length < 2 || INLINE.has(style.display) || style.display === 'table-row') return children;
  const elements = children.filter((child) => nodeType(child) === 1);
  if (elements.length < 2 || !mayMove(style, elements) || !areAlike(elements)) return children;
  const boxes = new Map(elements.map((el) => [el, placeOf(el)]));
  const placed = elements.filter((el) => boxes.get(el).width > 0 && boxes.get(el).height > 0);
  const order = readingOrder(placed.map((el) => boxes.get(el)), flowOf(style));
  if (order.every((n, i) => n === i)) return children;
  state.moved = true;
  const turns = new Set(placed);
  let next = 0;
  return children.map((child) => (turns.has(child) ? placed[order[next++]] : child));
}

// mayMove reports whether children can stand in another order than the document's. All entries of a list are placed in one way, so two are asked.
function mayMove(style, elements) {
  return /flex|grid/.test(style.display) || [elements[0], elements.at(-1)].some((el) => isPlaced(styleOf(el)));
}

const isPlaced = (style) => /absolute|relative|fixed/.test(style.position) || style.transform !== 'none' || style.translate !== 'none' || style.float !== 'none';

function areAlike(elements) {
  const tag = localName(elements[0]), classes = classesOf(elements[0]);
  return elements.every((el) => localName(el) === tag && (classesOf(el).some((name) => classes.includes(name)) || (!classes.length && !classesOf(el).length)));
}

const classesOf = (el) => (attr(el, 'class') || '').split(/\s+/).filter(Boolean);

// inDocument returns items in the order of the document, by which lines are numbered.
function inDocument(items) {
  if (!state.moved) return items;
  const rank = (a, b) => (a === b ? 0 : Node.prototype.compareDocumentPosition.call(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
  return (state.inDocument ??= [...items].sort((a, b) => rank(a.el, b.el)));
}

// flowAround returns how that runs in which several elements stand together.
function flowAround(elements) {
  let around = flatParent(elements[0]);
  while (around && !elements.every((el) => contains(around, el))) around = flatParent(around);
  return around ? flowOf(styleOf(around)) : { rtl: false, columns: false };
}
