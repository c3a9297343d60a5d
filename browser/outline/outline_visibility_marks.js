// What an outline says of invisible lines, as far as the cheap rules know it without scrolling and without pictures.

const MAX_MARKED = 600; // texts whose ground and cover are looked at; of the others only styles are

// unseenMarks maps the invisible items of the index to the reason.
function unseenMarks() {
  const marks = new Map(), below = new Map();
  withRules(() => {
    let n = 0;
    for (const item of state.items) {
      if (item.gone || item.role !== 'text') continue;
      const why = markOfRun(item, ++n > MAX_MARKED);
      if (why) marks.set(item, why);
      for (let up = item.parent; up; up = up.parent) {
        const count = below.get(up) || { all: 0, marked: 0, why };
        count.all++;
        if (why) count.marked++;
        below.set(up, count);
      }
    }
    for (const item of state.items) {
      if (item.gone || item.role === 'text') continue;
      const count = below.get(item);
      if (count ? count.all === count.marked : true) {
        const why = count ? count.why : markOfElement(item.el, ++n > MAX_MARKED);
        if (why) marks.set(item, why);
      }
    }
  });
  return marks;
}

// markOfRun returns why a run of text is invisible; '' where it is seen, or where that takes more than a glance.
function markOfRun(run, stylesOnly) {
  for (const node of run.nodes) {
    const el = flatParentOfText(node);
    if (!el) return '';
    const why = unrendered(el);
    if (!why && stylesOnly) return '';
    const word = /\S+/.exec(nodeValue(node));
    const here = why || (word ? glance({ node, el, text: nodeValue(node), shown: nodeValue(node) }, word.index, word.index + word[0].length) : '');
    if (!here) return '';
    if (node === run.nodes.at(-1)) return here;
  }
  return '';
}

const flatParentOfText = (node) => {
  const parent = parentNode(node);
  return parent && nodeType(parent) === 1 ? parent : parent && nodeType(parent) === 11 ? hostOf(parent) : null;
};

// glance looks at the first word where it is in the window, and otherwise only at whether it can ever be brought there.
function glance(piece, from, to) {
  const [r] = rangeBoxes(piece.node, from, to);
  if (!r || r.width < 0.3 || r.height < 0.3) return 'no size';
  if (r.height < MIN_TEXT_HEIGHT) return 'too small';
  return glanceAt(piece.el, true, r, (x, y) => {
    const cover = coverAt(piece.el, x, y);
    if (cover.state !== 'seen') return cover.likely ? cover.why : '';
    const ink = chainOf(piece.el).doubt ? sure : judgeInk(piece, cover.stack, x, y);
    return ink.state === 'unseen' || ink.likely ? ink.why : '';
  });
}

function glanceAt(el, own, r, look) {
  const win = viewOf(el), part = visiblePart(el, own, r);
  if (part.why) {
    const { boxes, fixed } = clippers(el, own);
    const beyond = r.right + win.scrollX <= 0 || r.bottom + win.scrollY <= 0 || (fixed && (r.left >= win.innerWidth || r.top >= win.innerHeight));
    if (boxes.some(({ box }) => scrollWidthOf(box) > clientWidthOf(box) || scrollHeightOf(box) > clientHeightOf(box))) {
      return boxes.every(({ style }) => !/auto|scroll/.test(style.overflowX + style.overflowY)) && part.why === 'clipped' ? 'clipped' : '';
    }
    return beyond ? 'off-screen' : part.why === 'clipped' ? 'clipped' : '';
  }
  return look((part.r.left + part.r.right) / 2, (part.r.top + part.r.bottom) / 2);
}

// markOfElement does the same for what has no text of its own: a control, a picture.
function markOfElement(el, stylesOnly) {
  const why = unrendered(el);
  if (why === 'hidden' || stylesOnly) return why === 'hidden' ? '' : why;
  if (why) return why;
  const r = boxOf(el);
  if (r.width < 0.5 || r.height < 0.5 || (tagOf(el) === 'option' || tagOf(el) === 'optgroup')) return '';
  if (!REPLACED.has(tagOf(el)) && !CONTROLS_BY_ROLE.has(roleOf(el))) return '';
  return glanceAt(el, false, r, (x, y) => {
    const cover = coverAt(el, x, y);
    return cover.likely ? cover.why : '';
  });
}
