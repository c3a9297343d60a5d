// One control, before and after it is used: what would otherwise be several questions to the page.

// ready reports whether an element can be clicked at once, as far as one look shows: it is there to be hit, and nothing moves it. It is a
// short cut: a click makes sure itself.
OPS.ready = (doc, scope) => {
  const box = Element.prototype.getBoundingClientRect.call(scope);
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  if (!box.width || !box.height || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || matches(scope, ':disabled')) return { ready: false };
  for (let node = scope; node; node = parentOf(node)) {
    if (Element.prototype.getAnimations.call(node).some((a) => a.playState === 'running')) return { ready: false };
  }
  const root = treeRoot(scope);
  const owner = nodeType(root) === 9 ? Document : ShadowRoot;
  const hit = owner.prototype.elementFromPoint.call(root, x, y);
  return { ready: !!hit && Node.prototype.contains.call(scope, hit) };
};

// value answers what a control holds, unless that is a secret, which is remembered as one: the page may show later what it hides now.
// An element without a value of its own has none.
OPS.value = (doc, scope) => {
  if (secretField(scope)) {
    concealed.add(scope);
    return { secret: true };
  }
  const value = ['input', 'textarea', 'select'].includes(tagOf(scope)) ? own(scope, 'value') : undefined;
  return typeof value === 'string' ? { value, known: true } : {};
};
