// What the caller of the tools typed or chose, by the field that took it. It is known here alone, as secrets are (secret_fields.js), and goes with
// the document.

// typedInto returns one map for the frames of a page: whoever reads the page's texts reads those of its frames too. A frame whose parents are out of reach has
// its own.
const typedInto = (() => {
  let at = globalThis;
  try {
    while (at.parent !== at && at.parent.document) at = at.parent;
  } catch {
    // of another origin
  }
  const name = Symbol.for('assay typed');
  if (!at[name]) Object.defineProperty(at, name, { value: new WeakMap() });
  return at[name];
})();

const heldBy = (el) => {
  const value = own(el, 'value');
  if (typeof value === 'string') return value;
  return isHTML(el) ? innerText(el).replace(/\n$/, '') : '';
};

// isTyped reports whether a field holds exactly what was typed or chosen there: the page has neither changed it nor put it there.
function isTyped(el) {
  const typed = typedInto.get(el);
  if (typed === undefined) return false;
  if (tagOf(el) === 'select') return [...own(el, 'options')].some((o) => selectedOf(o) && (own(o, 'value') === typed || tidy(own(o, 'label') || '') === tidy(typed)));
  return heldBy(el) === typed;
}

// typing notes what is typed into an element, or into the one that has the focus; without a name, it is what that holds now.
OPS.typing = (doc, scope, { name, all }) => {
  let el = scope || focusedIn(doc);
  if (el && tagOf(el) === 'label' && isHTML(el)) el = labelControl(el) || el;
  if (!el || secretField(el)) return {};
  if (!all) typedInto.set(el, name || '');
  else if (heldBy(el)) typedInto.set(el, heldBy(el));
  return {};
};

// typed reports whether an element holds what was typed there.
OPS.typed = (doc, scope) => ({ on: isTyped(scope) });
