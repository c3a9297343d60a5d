// Which items make a line, and under which. The rules keep an outline short without losing anything that can be acted on: text that a
// printed ancestor already says, cells of a printed row, and wrappers without a name make no line of their own.

// outline lists the lines below the scope (or of the whole document): {item, d(epth)} in reading order.
function outline() {
  const lines = [];
  state.labelled = labelTargets();
  state.texts = new Map();
  if (state.scope) {
    const [first, end] = state.scope;
    const inScope = new Set(state.items.slice(first, end));
    for (const item of inScope) if (!inScope.has(item.parent)) emit(item, 0, { said: null, inCell: false, leaf: false }, lines);
  } else {
    for (const item of state.items) if (!item.parent) emit(item, 0, { said: null, inCell: false, leaf: false }, lines);
  }
  return lines;
}

// labelTargets maps the elements that name a visible control through aria-labelledby to the name they give.
function labelTargets() {
  const targets = new Map();
  for (const item of state.items) {
    if (!CONTROLS_BY_ROLE.has(item.role) || !hasAttr(item.el, 'aria-labelledby')) continue;
    for (const ref of idRefs(item.el, 'aria-labelledby')) targets.set(ref, nameOf(item.el));
  }
  return targets;
}

// emit adds the item's line, if it makes one, and those below it.
function emit(item, depth, around, lines) {
  const show = item.gone ? 'no' : verdict(item, around);
  if (show === 'no') {
    for (const kid of item.kids) emit(kid, depth, around, lines);
    return;
  }
  const at = lines.length;
  lines.push({ item, d: depth });
  const inner = insideOf(item, around);
  for (const kid of item.kids) emit(kid, depth + 1, inner, lines);
  const below = lines.length - at - 1;
  if ((show === 'with lines' && below === 0) || (show === 'without lines' && below > 0)) {
    lines.splice(at, 1);
    for (let i = at; i < lines.length; i++) lines[i].d--;
  }
}

// verdict returns yes, no, 'with lines' (only if lines stand below it) or 'without lines' (only if none do).
function verdict(item, around) {
  const { role } = item;
  if (role === 'text') return !keyOf(item) || item.prose || item.cell || around.leaf || repeats(item, around) || saidBefore(item) ? 'no' : 'yes';
  if (role === 'frame') return 'yes';
  if (role === 'option') return item.at.select && roleOf(closestTag(item.el, 'select')) === 'combobox' ? 'no' : 'yes';
  if (role === 'clickable') return keyOf(item) ? 'yes' : 'without lines';
  if (CONTROLS_BY_ROLE.has(role)) return 'yes';
  if (role === 'row') return keyOf(item) ? 'yes' : 'with lines';
  if (KEPT.has(role)) return keyOf(item) ? 'yes' : 'with lines';
  if (item.active) return keyOf(item) ? 'yes' : 'without lines';
  if (hasAttr(item.el, 'aria-sort')) return keyOf(item) ? 'yes' : 'no';
  if (around.inCell || CELLS.has(role) || !keyOf(item)) return 'no';
  return repeats(item, around) ? 'no' : 'yes';
}

// saidBefore recognises a text that stands twice in one element: its two lines would be the same.
function saidBefore(item) {
  const texts = state.texts.get(item.el) || new Set();
  state.texts.set(item.el, texts);
  return texts.size === texts.add(keyOf(item)).size;
}

function insideOf(item, around) {
  const { role } = item;
  const inCell = CELLS.has(role) || role === 'row' || (around.inCell && !KEPT.has(role));
  const leaf = around.leaf || HAS_VALUE.has(role);
  const text = fullQuote(item);
  if (!text) return { said: around.said, inCell, leaf };
  const content = NAMED_BY_CONTENT.has(role) && role !== 'row' && !CELLS.has(role);
  return { said: { item, content, part: role === 'clickable' || content, text: role === 'clickable' ? shownQuote(item) : text, up: around.said }, inCell, leaf };
}

// repeats reports whether a line would only say again what a line above it, or the control it labels, says already.
function repeats(item, around) {
  const text = fullQuote(item);
  for (let said = around.said; said; said = said.up) {
    if (said.item.role === 'clickable' && item.role === 'heading') continue;
    if (said.content && item.parent === said.item && item.role === 'text' && !named(said.item.el)) return true;
    if (said.part ? said.text.includes(text) : said.text === text) return true;
  }
  if (labelsControl(item)) return true;
  for (let el = item.el, i = 0; el && i < 4; el = flatParent(el), i++) {
    if (state.labelled.has(el)) return state.labelled.get(el).includes(text);
  }
  return false;
}
