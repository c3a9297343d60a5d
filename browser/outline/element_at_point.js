// What a pointer would meet: the guard's question before a click at a place, and what an answer calls the place.

// topmostAt returns the topmost element at a point of a document, through open shadow roots; null where there is none.
function topmostAt(doc, x, y) {
  let el = Document.prototype.elementFromPoint.call(doc, x, y);
  for (let shadow = el && shadowRootOf(el); shadow; shadow = shadowRootOf(el)) {
    const inner = ShadowRoot.prototype.elementFromPoint.call(shadow, x, y);
    if (!inner || inner === el) break;
    el = inner;
  }
  return el;
}

// at answers the element at a point of the document, as about does; for a frame, how to enter it, and the point in it.
OPS.at = (doc, scope, { x = 0, y = 0, identify }) => {
  aim = null; // what follows at the place is no click that was aimed before
  const el = topmostAt(doc, x, y);
  if (!el) return { line: 'the page', names: [], none: true };
  const tag = tagOf(el);
  if (tag !== 'iframe' && tag !== 'frame') return identify ? identityOf(doc, controlAt(doc, el)) : OPS.about(doc, el, {});
  const { line } = OPS.line(doc, el);
  const box = Element.prototype.getBoundingClientRect.call(el), style = styleOf(el);
  const wide = Number.parseFloat(style.width) + space(style, 'Left') + space(style, 'Right'), high = Number.parseFloat(style.height) + space(style, 'Top') + space(style, 'Bottom');
  const around = style.boxSizing === 'border-box' ? [Number.parseFloat(style.width), Number.parseFloat(style.height)] : [wide, high];
  return {
    line, names: [], frame: cssPath(el),
    x: (x - box.left) * (around[0] / box.width || 1) - space(style, 'Left'),
    y: (y - box.top) * (around[1] / box.height || 1) - space(style, 'Top'),
  };
};

// controlAt returns the control that an element belongs to, as the icon in a button does; or the element itself.
function controlAt(doc, el) {
  index(doc, el);
  for (let node = el; node; node = parentOf(node)) {
    if (CONTROLS_BY_ROLE.has(roleOf(node)) || state.clickable.has(node)) return node;
    const control = node instanceof HTMLLabelElement && labelControl(node);
    if (control) return control;
  }
  return el;
}

// space returns what border and padding take on one side.
function space(style, side) {
  return (Number.parseFloat(style['border' + side + 'Width']) || 0) + (Number.parseFloat(style['padding' + side]) || 0);
}

// focus answers what the keyboard would meet, and whether what is typed there must not be shown; for a frame, how to enter it.
OPS.focus = (doc, scope, { identify }) => {
  const el = focusedIn(doc);
  if (!el) return { line: 'the page', names: [], none: true };
  if (tagOf(el) === 'iframe' || tagOf(el) === 'frame') return { line: '', names: [], frame: cssPath(el) };
  if (identify) return identityOf(doc, el);
  return { line: OPS.line(doc, el).line, secret: secretField(el) };
};

// holds answers whether the focus is in an element.
OPS.holds = (doc, scope) => {
  for (let node = focusedIn(doc); node; node = parentOf(node)) if (node === scope) return { on: true };
  return { on: false };
};
