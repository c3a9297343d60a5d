// One control, before and after it is used: what would otherwise be several questions to the page.

// ready reports whether an element can be clicked at once, as far as one look shows: it is there to be hit, and nothing moves it. It is a
// short cut: a click makes sure itself.
OPS.ready = (doc, scope) => {
  const box = Element.prototype.getBoundingClientRect.call(scope);
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  if (!box.width || !box.height || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || matches(scope, ':disabled')) return { ready: false };
  if (isAnimated(scope)) return { ready: false };
  const root = treeRoot(scope);
  const owner = nodeType(root) === 9 ? Document : ShadowRoot;
  const hit = owner.prototype.elementFromPoint.call(root, x, y);
  return { ready: !!hit && Node.prototype.contains.call(scope, hit) };
};

// isAnimated reports whether an animation or transition of an element, or around it, runs.
function isAnimated(el) {
  for (let node = el; node; node = parentOf(node)) if (Element.prototype.getAnimations.call(node).some((a) => a.playState === 'running')) return true;
  return false;
}

// controlOf returns what is filled in where an element is named, by Playwright's rule: of a label, and of what stands in it, the label's control.
function controlOf(el) {
  if (isEditor(el) || matches(el, 'a, input, textarea, button, select, [role=link], [role=button], [role=checkbox], [role=radio]')) return el;
  const label = Element.prototype.closest.call(el, 'label');
  return (label && isHTML(label) && labelControl(label)) || el;
}

const isEditor = (el) => isHTML(el) && contentEditable(el);

// value answers what a control holds, unless that is a secret, which is remembered as one: the page may show later what it hides now.
// An element without a value of its own has none.
OPS.value = (doc, scope, { lines }) => lookAtOne(doc, scope, lines, valueHeld);

function valueHeld(named) {
  const el = controlOf(named);
  if (secretField(el)) {
    concealed.add(el);
    return { secret: true };
  }
  const value = ['input', 'textarea', 'select'].includes(tagOf(el)) ? own(el, 'value') : undefined;
  return typeof value === 'string' ? { value, known: true } : {};
}
