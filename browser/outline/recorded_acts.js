// What a recorder of a person's acts asks of a document: which control an act is on, and which lines of it are seen. It looks, and changes nothing.

const MAX_SEEN = 3000; // lines of one document
const SELECTS_ITSELF = new Set(['select', 'option', 'optgroup']);
const TEXT_INPUTS = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number', 'date', 'datetime-local', 'month', 'week', 'time', 'color', 'range']);
const LIKE_OTHERS = 2;

const asking = (ask) => {
  try {
    return ask();
  } finally {
    state = null;
  }
};

// workedBy tells how a control is worked: its text, a choice, a switch, files, or a press.
function workedBy(el) {
  const tag = tagOf(el), type = inputType(el);
  if (SELECTS_ITSELF.has(tag)) return 'choice';
  if (tag === 'textarea' || (tag === 'input' && TEXT_INPUTS.has(type))) return 'text';
  if (tag === 'input' && type === 'file') return 'files';
  if (tag === 'input' && (type === 'checkbox' || type === 'radio')) return type;
  return isHTML(el) && contentEditable(el) ? 'editor' : '';
}

// editorOf returns the whole editor that an element stands in.
function editorOf(el) {
  let host = el;
  for (let up = parentOf(el); up && isHTML(up) && contentEditable(up); up = parentOf(up)) host = up;
  return host;
}

// controlOfAct returns the control that an act on an element is on; undefined where it is on no element of the page.
function controlOfAct(el) {
  const doc = ownerDocument(el);
  if (workedBy(el) === 'editor') return editorOf(el);
  const control = controlAt(doc, el);
  if (tagOf(control) === 'option' || tagOf(control) === 'optgroup') for (let up = control; up; up = parentOf(up)) if (tagOf(up) === 'select') return up;
  return ['html', 'body', 'iframe', 'frame'].includes(tagOf(control)) ? undefined : control;
}

// actedOn answers what a step of a flow names as the element of an act.
function actedOn(el) {
  return asking(() => {
    const doc = ownerDocument(el), known = identityOf(doc, el);
    if (known.none || !known.locators.length) return null;
    const line = state.items.find((item) => item.el === el && !item.gone && item.role !== 'text'), role = line ? line.role : roleOf(el) || '';
    const suggests = role === 'combobox' || hasAttr(el, 'aria-expanded') || hasAttr(el, 'aria-controls') || hasAttr(el, 'aria-autocomplete');
    const kind = workedBy(el), ofItsText = (locator) => kind === 'editor' && locator.includes('text='); // which is what a person types
    return { selector: known.locators.find((locator) => !ofItsText(locator)), kind, role, name: line ? shownQuote(line) : '', secret: known.secret, suggests, acts: role !== 'clickable' && ACTS.has(role),
      code: (attr(el, 'autocomplete') || '').toLowerCase().includes('one-time-code'), hidden: !rendered(el) };
  });
}

const frameLine = (frame) => asking(() => OPS.line(ownerDocument(frame), frame).line);

// frameAround answers the lines of a frame of another origin, and of the frames around it.
function frameAround(frame) {
  const { lines, page } = framesAround();
  return { lines: [...lines, frameLine(frame)], page };
}

// framesAround answers the lines of the frames around this document, the outermost first, up to the page or to a document of another origin.
function framesAround() {
  const lines = [];
  let at = globalThis;
  try {
    while (at !== at.parent && at.frameElement) {
      lines.unshift(frameLine(at.frameElement));
      at = at.parent;
    }
  } catch {
    // of another origin
  }
  return { lines, page: at === at.parent };
}

// seenLines answers the lines of this document that a person sees, by the cheap rules: those that are the only ones of their words with the selector that
// finds them.
function seenLines() {
  return asking(() => {
    index(document, null);
    const unseen = unseenMarks(), lines = [];
    for (const { item } of outline()) {
      if (lines.length === MAX_SEEN) break;
      if (unseen.has(item)) continue;
      const line = { role: item.role, name: shownQuote(item) };
      if (item.role !== 'text') line.state = stateMarks(item);
      const above = item.role === 'text' && item.parent;
      if (above && keyOf(above) === keyOf(item)) continue; // its parent's line says it
      if (line.name && sameLines(item).size < LIKE_OTHERS) line.selector = selectorOf(item);
      lines.push(line);
    }
    return { lines, title: documentTitle(document) };
  });
}

const askedByRecorder = { controlOfAct, actedOn, frameAround, framesAround, seenLines, workedBy, secretField: (el) => asking(() => secretField(el)), heldBy };
