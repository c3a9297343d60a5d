// The identity of an element, by which it is found again when the page has changed: the ways to find it, and what distinguishes it from any other.

let latest = { look: '', times: 0 };

// identity answers for one element. look is another one each time: where a selector has several matches, as many answers come, of which the last
// is read and says so.
OPS.identity = (doc, scope, { look }) => {
  latest = latest.look === look ? { look, times: latest.times + 1 } : { look, times: 1 };
  return latest.times > 1 ? { several: true } : identityOf(doc, scope);
};

// identityOf answers an element's locators, each of which leads to it alone, the steadiest first; and its fingerprint: what a person would
// know it by, without its place, its classes and its attributes.
function identityOf(doc, el) {
  if (!el || ['html', 'body'].includes(tagOf(el))) return { none: true };
  if (!state) index(doc, el);
  const lines = state.items.filter((item) => item.el === el && !item.gone);
  const item = lines.find((i) => i.role !== 'text') || lines[0];
  const print = printOf(el, item);
  const same = item && sameLines(item), holder = same && holderOf(item);
  if (holder) print.within = holder.role + ' ' + quoted(keyOf(holder));
  else if (same && same.size > 1) print.of = same.get(el) + ' of ' + same.size;
  else if (!item) print.path = cssPath(el);
  const value = textHeld(el);
  return { locators: locatorsOf(el, item, tallies(doc)), fingerprint: print, secret: secretField(el), empty: value === '' };
}

// textHeld returns what a text control holds; undefined where it is none.
function textHeld(el) {
  return ['input', 'textarea'].includes(tagOf(el)) ? own(el, 'value') : undefined;
}

function printOf(el, item) {
  const print = { tag: tagOf(el) };
  const role = (item && item.role) || roleOf(el) || '';
  if (role && !isPresentation(role)) print.role = role;
  const name = item ? keyOf(item) : secretField(el) ? '' : cut(contentOf(el), NAME_MAX);
  if (name) print.name = name;
  else {
    const field = attr(el, 'name') || attr(el, 'placeholder');
    if (field) print.field = field;
  }
  if (print.tag === 'input') print.type = inputType(el);
  return print;
}
