// The order in which a person reads what stands on the screen: the places decide, not the document. Boxes whose heights overlap by more than
// half make a line; lines are read from top to bottom, and each from where lines begin. What flows in columns is read column by column.
//
// The engine of outlines and generated Playwright tests run this: comments such as /*: any*/ are types in a test. Both have styleOf, flatParent,
// contains, boxOf, newRange and ownerDocument.

// readingOrder returns the positions of boxes in the order in which they are read.
function readingOrder(boxes/*: any[]*/, { rtl, columns, up }/*: any*/)/*: number[]*/ {
  const sideways = rtl ? [(b/*: any*/) => -b.right, (b/*: any*/) => -b.left] : [(b/*: any*/) => b.left, (b/*: any*/) => b.right];
  const downwards = up ? [(b/*: any*/) => -b.bottom, (b/*: any*/) => -b.top] : [(b/*: any*/) => b.top, (b/*: any*/) => b.bottom];
  const [[from, to], [along]] = columns ? [sideways, downwards] : [downwards, sideways];
  const rest = boxes.map((_, i) => i).sort((i, j) => from(boxes[i]) - from(boxes[j]) || i - j);
  const lines/*: any[]*/ = [];
  for (const i of rest) {
    const line = lines.at(-1), first = line && boxes[line[0]], box = boxes[i];
    const overlap = first ? Math.min(to(first), to(box)) - Math.max(from(first), from(box)) : 0;
    if (first && overlap > Math.min(to(first) - from(first), to(box) - from(box)) / 2) line.push(i);
    else lines.push([i]);
  }
  return lines.flatMap((line) => line.sort((i/*: number*/, j/*: number*/) => along(boxes[i]) - along(boxes[j]) || from(boxes[i]) - from(boxes[j]) || i - j));
}

const hasColumns = (style/*: any*/) => style.columnCount !== 'auto' || style.columnWidth !== 'auto';

// flowOf returns how the content of an element of a style runs: columns are read one by one, rtl from the right, up from the bottom. Where lines are
// vertical, each line is a column.
function flowOf(style/*: any*/) {
  const across = hasColumns(style) || (/grid/.test(style.display) && style.gridAutoFlow.startsWith('column')) ||
    (/flex/.test(style.display) && style.flexDirection.startsWith('column') && style.flexWrap !== 'nowrap');
  const mode = style.writingMode, backwards = style.direction === 'rtl';
  if (mode === 'horizontal-tb') return { rtl: backwards, columns: across, up: false };
  return { rtl: mode.endsWith('rl'), columns: !across, up: backwards !== (mode === 'sideways-lr') };
}

// flowIn returns how that runs which stands in an element: the columns of a newspaper go on in the blocks that stand in them.
function flowIn(el/*: any*/) {
  const style = styleOf(el), flow = flowOf(style);
  for (let box = el; box && /^block$|^list-item$|^table/.test(styleOf(box).display); box = flatParent(box)) {
    if (hasColumns(styleOf(box))) return { ...flow, columns: style.writingMode === 'horizontal-tb' };
    if (!/visible/.test(styleOf(box).overflow)) break;
  }
  return flow;
}

// placeOf returns the box where an element begins to be read: the first line of an inline one, what is in it for one without a box.
function placeOf(el/*: any*/)/*: any*/ {
  const [first] = Element.prototype.getClientRects.call(el);
  if (first && first.width > 0 && first.height > 0) return first;
  const range = newRange(ownerDocument(el));
  Range.prototype.selectNodeContents.call(range, el);
  return Range.prototype.getBoundingClientRect.call(range);
}

// flowAround returns how that runs in which several elements stand together.
function flowAround(elements/*: any[]*/) {
  let around = flatParent(elements[0]);
  while (around && !elements.every((el) => contains(around, el))) around = flatParent(around);
  return around ? flowIn(around) : { rtl: false, columns: false, up: false };
}

// readsFirst reports whether the first of two boxes is read before the second. They were measured from outside, since their elements may stand in
// several documents; own is the element of the first.
function readsFirst(own/*: any*/, first/*: any*/, second/*: any*/) {
  const place = placeOf(own);
  const has = (el/*: any*/) => {
    const r = boxOf(el), left = r.left + first.left - place.left, top = r.top + first.top - place.top;
    return second.left >= left && second.top >= top && second.right <= left + r.width && second.bottom <= top + r.height;
  };
  let around = flatParent(own);
  while (around && flatParent(around) && !has(around)) around = flatParent(around);
  return readingOrder([first, second], flowIn(around || own))[0] === 0;
}

// asRead returns elements in the order in which they are read, by their positions.
const asRead = (elements/*: any[]*/) => (elements.length > 1 ? readingOrder(elements.map(placeOf), flowAround(elements)) : elements.map((_, i) => i));
