// One property of one element, by its name in OPS.property's table. An answer without the property says that the element has none of the
// kind; "why" says why a state is off.

const PROPERTIES = {
  __proto__: null,
  attribute: (doc, el, name) => ({ value: attr(el, name) ?? undefined }),
  focused: (doc, el) => ({ on: focusedIn(doc) === el && Document.prototype.hasFocus.call(doc) }),
  indeterminate: (doc, el) => {
    const native = ['checkbox', 'radio'].includes(inputType(el));
    if (!native && !CHECKED.has(roleOf(el) || '')) return {};
    return { on: native ? !!own(el, 'indeterminate') : ariaOf(el, 'checked') === 'mixed' };
  },
  pressed: (doc, el) => {
    const said = ariaOf(el, 'pressed');
    return ['true', 'false', 'mixed'].includes(said) ? { on: said === 'true', why: said === 'mixed' ? 'mixed' : '' } : {};
  },
  expanded: (doc, el) => {
    const said = tagOf(el) === 'details' ? String(hasAttr(el, 'open')) : { expanded: 'true', collapsed: 'false' }[expandedMark(el, (name) => ariaOf(el, name))];
    return said ? { on: said === 'true' } : {};
  },
  readonly: (doc, el) => {
    const tag = tagOf(el), editable = attr(el, 'contenteditable');
    if (['input', 'textarea', 'select'].includes(tag)) return { on: !!own(el, 'readOnly') || ariaOf(el, 'readonly') === 'true' };
    if (TAKES_READONLY.has(roleOf(el) || '')) return { on: ariaOf(el, 'readonly') === 'true' };
    return editable !== null && editable.toLowerCase() !== 'false' ? { on: false } : {};
  },
  blank: (doc, el) => (['input', 'textarea'].includes(tagOf(el)) ? { field: true, on: String(own(el, 'value') ?? '') === '', why: 'it has a value' } : holdsNothing(el)),
  values: (doc, el) => (tagOf(el) === 'select' ? { values: [...own(el, 'selectedOptions')].map((o) => own(o, 'value') || '') } : {}),
  labels: (doc, el) => {
    const role = roleOf(el) || '';
    if (tagOf(el) === 'select') return { values: [...own(el, 'selectedOptions')].map((o) => tidy(own(o, 'label') || '')) };
    if (role !== 'combobox' && role !== 'listbox') return {};
    const chosen = chosenOptions(el, role).map((o) => tidy(textContent(o)));
    if (chosen.length || role === 'listbox') return { values: chosen };
    const shown = secretField(el) ? '' : tidy(own(el, 'value') || fieldWithin(el) || contentOf(el));
    return { values: shown ? [shown] : [] };
  },
  classes: (doc, el) => ({ values: (attr(el, 'class') || '').split(/\s+/).filter(Boolean) }),
  style: (doc, el, name) => {
    const value = viewOf(el).getComputedStyle(el).getPropertyValue(name);
    return value === '' ? {} : { value };
  },
  role: (doc, el) => ({ value: isPresentation(roleOf(el)) ? '' : roleOf(el) || '' }),
  name: (doc, el) => ({ value: nameOf(el) }),
  description: (doc, el) => ({ value: describedBy(el) || tidy(attr(el, 'aria-description') || '') || tidy(attr(el, 'title') || '') }),
  error: (doc, el) => ({ value: errorOf(el) }),
};

const TAKES_READONLY = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider', 'checkbox', 'radiogroup', 'switch', 'grid', 'gridcell', 'listbox',
  'columnheader', 'rowheader', 'treegrid', 'menuitemcheckbox', 'menuitemradio']);
const HOLDS = 'img, svg, canvas, video, audio[controls], iframe, object, embed, input:not([type=hidden]), progress, meter';

const ariaOf = (el, name) => (attr(el, 'aria-' + name) || '').toLowerCase();
const texts = (refs) => tidy(refs.map((ref) => alternative(ref, { from: 'labelledby', force: hiddenNow(ref), seen: new Set(), depth: 0, room: { left: MAX_NAME_TEXT } })).join(' '));
const describedBy = (el) => texts(idRefs(el, 'aria-describedby'));

// errorOf returns the error message of a field whose entry is wrong; a field that says so may have it in its description. A field that
// only the browser judges has a hint there.
function errorOf(el) {
  if (!invalid(el)) return '';
  const shown = (name) => texts(idRefs(el, name).filter((ref) => state.display.has(ref)));
  return shown('aria-errormessage') || (ariaOf(el, 'invalid') ? shown('aria-describedby') : '');
}

// invalid reports whether a field's entry is wrong, by ARIA or by the browser's own judgement.
function invalid(el) {
  const said = ariaOf(el, 'invalid');
  if (said) return said !== 'false';
  const native = own(el, 'validity');
  return !!native && !native.valid;
}

// holdsNothing reports whether no picture and no control is seen in an element; its text is another question.
function holdsNothing(el) {
  for (const part of allIn(el, HOLDS)) {
    const here = withRules(() => judgeElement(part));
    if (here.state === 'seen') return { on: false, why: 'it holds ' + nameFor(part) };
    if (here.state === 'doubt') return { on: true, doubt: nameFor(part) + ': ' + here.why };
  }
  return { on: true };
}

// property answers one property of the element; find is what else its table's row needs.
OPS.property = (doc, scope, { name, find, css }) => {
  index(doc, scope);
  return { secret: secretField(scope), ...PROPERTIES[name](doc, scope, find || ''), stood: stoodSo(scope, css, name === 'classes' ? 'classesKept' : 'stateKept') };
};

// inview answers whether the element's place is in the window as it is scrolled now, and in all that clips it.
OPS.inview = (doc, scope) => withRules(() => {
  const box = boxOf(scope);
  if (unrendered(scope)) return { why: unrendered(scope) };
  if (box.width < 0.5 && box.height < 0.5) return { why: 'no size' };
  return { why: visiblePart(scope, false, box).why };
});

// isApart reports whether a soft gap before a piece is wide enough to be seen: a fifth of the letters' height, or the next line.
function isApart(last, piece) {
  if (!last || !last.node || !piece.node) return true;
  const a = rangeBoxes(last.node, Math.max(0, last.text.length - 1), last.text.length).at(-1), b = rangeBoxes(piece.node, 0, 1)[0];
  if (!a || !b) return true;
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return high <= 0.3 * Math.min(a.height, b.height) || Math.max(b.left - a.right, a.left - b.right) > 0.13 * Math.min(a.height, b.height);
}

// reads answers whether the first of two boxes is read before the second, and which they are: those that are given, with the element of the first as the
// scope, or those of the one element of each of two looks.
OPS.reads = (doc, scope, { boxes, look, beside }) => {
  const at = ([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height });
  const ofs = boxes ? [scope] : [look, beside].map((name) => keep(name, () => ({ elements: [], pieces: [] })).elements[0]);
  const all = boxes || ofs.filter((el) => el && Element.prototype.getClientRects.call(el).length).map(boxOf).map((r) => [r.left, r.top, r.width, r.height]);
  return { boxes: all, before: all.length === 2 && readsFirst(ofs[0], at(all[0]), at(all[1])) };
};

// itemTexts answers the texts of each element of a look in the order in which they are read, and whether the document has another one.
OPS.itemTexts = (doc, scope, { look, lang }) => withRules(() => {
  const kept = keep(look, () => ({ elements: [], pieces: [] }));
  kept.pieces = [];
  const present = kept.elements.filter(isConnected);
  const order = asRead(present);
  const all = order.map((n) => {
    const el = present[n];
    const pieces = piecesOf(el, false), first = kept.pieces.length;
    kept.pieces.push(...pieces);
    return { first, n, l: comesLater(el) ? true : undefined, pieces: pieces.map((p, i) => ({ t: p.text, s: p.shown === p.text ? undefined : p.shown, g: p.gap, a: p.gap === SOFT_BREAK && isApart(pieces[i - 1], p), w: unrendered(p.el) || undefined })) };
  });
  const around = kept.elements.find(isConnected), declares = around && Element.prototype.closest.call(around, '[lang]');
  return { gone: all.length < kept.elements.length, top: !aboveIsForeign(doc), moved: order.some((n, i) => n !== i), writing: writingOf(lang || (declares && attr(declares, 'lang')) || ''), items: all };
});
