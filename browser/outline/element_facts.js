// One element in full, for a look at it.

const MAX_INNER = 4000, MAX_ATTRIBUTE = 2000;
let looked = null; // the index of the last look, which goes through many elements

// dom answers what an element is and holds. names are the attributes to read; look is the same for all elements of one look; with all, one without a
// name is also told by where it stands.
OPS.dom = (doc, scope, { names = [], look, all }) => {
  if (looked && looked.look === look && looked.doc === doc) state = looked.state;
  else {
    index(doc, null);
    looked = { look, doc, state };
  }
  const items = state.items.filter((item) => item.el === scope && !item.gone);
  const item = items.find((i) => i.role !== 'text') || items[0];
  const secret = secretField(scope), role = roleOf(scope) || '', name = nameOf(scope);
  const attributes = {};
  for (const name of names) {
    const value = attr(scope, name);
    attributes[name] = value === null ? null : secret && name.toLowerCase() === 'value' ? '••••' : cut(value, MAX_ATTRIBUTE);
  }
  const shown = rendered(scope) && Element.prototype.getClientRects.call(scope).length > 0;
  const box = shown ? Element.prototype.getBoundingClientRect.call(scope) : null;
  return {
    line: item ? selectorOf(item) : cssPath(scope),
    text: secret ? '' : cut(isHTML(scope) ? innerText(scope) : tidy(textContent(scope)), MAX_INNER),
    attributes, role: isPresentation(role) ? '' : role, name, place: all && !name ? standsAt(scope) : '',
    box: box && { x: box.x, y: box.y, width: box.width, height: box.height },
  };
};
