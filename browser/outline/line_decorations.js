// What a line says: role, quote, ordinal, and the decorations behind them that no selector needs.

const WRAPPER_TEXT = 200; // a "clickable" with more text than this is a wrapper around content, not a control

// fullQuote returns the whole text that a line of the item would quote; '' for a nameless line.
function fullQuote(item) {
  if (item.quote === undefined) item.quote = quoteOf(item);
  return item.quote;
}

function quoteOf(item) {
  if (item.role === 'text') return tidy(item.words);
  if (CELLS.has(item.role)) return partsText(item) || (hasAttr(item.el, 'aria-sort') ? nameOf(item.el) : ''); // what sorts is often a control in the head
  if (item.role === 'row') return rowQuote(item);
  if (PROSE.has(item.role)) return partsText(item);
  if (item.role === 'clickable') return clickableQuote(item.el);
  if (item.role === 'frame') return frameQuote(item.el);
  return nameOf(item.el);
}

const partsText = (item) => tidy(item.parts.filter((p) => !p.gone && !labelsControl(p)).map(fullQuote).join(' '));

// labelsControl reports whether a text is what a visible control beside it is called by.
function labelsControl(item) {
  const control = item.at.label && labelControl(item.at.label);
  return !!control && state.display.has(control) && nameOf(control).includes(fullQuote(item));
}

// A row's quote is its cells, so that a reader sees them side by side.
function rowQuote(row) {
  if (!row.cells.length) return named(row.el) ? nameOf(row.el) : contentOf(row.el);
  const texts = row.cells.filter((c) => !c.gone).map(partsText);
  while (texts.length && !texts[0]) texts.shift();
  while (texts.length && !texts.at(-1)) texts.pop();
  return tidy(texts.join(' | '));
}

function clickableQuote(el) {
  const given = [idRefs(el, 'aria-labelledby').map((ref) => tidy(textContent(ref))).join(' '), attr(el, 'aria-label')];
  const name = given.map((s) => tidy(s || '')).find(Boolean);
  if (name) return name;
  const text = contentOf(el);
  if (text.length > WRAPPER_TEXT) return '';
  return text || tidy(attr(el, 'title') || '');
}

// A frame is called by its accessible name, or else by the best handle its author left.
function frameQuote(el) {
  const path = tidy((attr(el, 'src') || '').split(/[?#]/)[0].replace(/\/+$/, '').replace(/^.*\//, ''));
  return nameOf(el) || tidy(attr(el, 'name') || '') || tidy(attr(el, 'id') || '') || path;
}

const limitOf = (role) => (role === 'text' || role === 'row' || PROSE.has(role) || CELLS.has(role) ? PROSE_MAX : NAME_MAX);
const shownQuote = (item) => cut(fullQuote(item), limitOf(item.role));
// keyOf returns the text by which lines of one role differ. It is empty for a nameless line and for one that is called by nothing but an icon: a
// glyph from an icon font can't be read, so it is shown behind the line and never needed.
const keyOf = (item) => (item.key ??= bare(shownQuote(item)));

// sameLines lists the elements that share an item's role and text, in the order of the document.
function sameLines(item) {
  state.groups ??= new Map();
  let groups = state.groups.get(item.role);
  if (!groups) {
    groups = new Map();
    for (const other of inDocument(state.items)) {
      if (other.role !== item.role || other.gone) continue;
      const key = keyOf(other);
      if (!groups.has(key)) groups.set(key, new Map());
      const group = groups.get(key);
      if (!group.has(other.el)) group.set(other.el, group.size + 1);
    }
    state.groups.set(item.role, groups);
  }
  return groups.get(keyOf(item));
}

// selectorOf returns the part of a line that finds the element again: role, quote, and an ordinal where the two are not enough.
function selectorOf(item) {
  const same = sameLines(item);
  return lineOf(item, same.get(item.el), same.size);
}

const lineOf = (item, n, of) => item.role + (keyOf(item) ? ' ' + quoted(shownQuote(item)) : '') + (keyOf(item) && of === 1 ? '' : ' [' + n + ']');

const CHECKED = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio', 'treeitem', 'option']);
const SELECTED = new Set(['option', 'tab', 'treeitem', 'row', 'gridcell', 'columnheader', 'rowheader']);
const HAS_VALUE = new Set(['textbox', 'searchbox', 'combobox', 'slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar']);
const MAX_OPTIONS = 8;

// decorations returns the item's state and value, for the reader.
function decorations(item, focused) {
  if (item.role === 'text') return '';
  const { el, role } = item;
  const marks = [];
  if (keyOf(item) === '' && fullQuote(item)) marks.push('icon ' + cut(fullQuote(item), 8));
  const any = attributeNames(el).some((name) => name.startsWith('aria-'));
  const aria = (name) => (any && attr(el, 'aria-' + name) || '').toLowerCase();
  if (role === 'heading') marks.push('level=' + headingLevel(el));
  if (CHECKED.has(role)) marks.push(checkedMark(el, aria));
  if (SELECTED.has(role) && (own(el, 'selected') || aria('selected') === 'true')) marks.push('selected');
  if (role === 'columnheader' || role === 'rowheader') marks.push(sortedMark(aria('sort')));
  if (aria('pressed') === 'true' || aria('pressed') === 'mixed') marks.push(aria('pressed') === 'mixed' ? 'pressed=mixed' : 'pressed');
  marks.push(expandedMark(el, aria));
  if (aria('current') && aria('current') !== 'false') marks.push('current');
  if (disabled(item)) marks.push('disabled');
  if (own(el, 'required') || aria('required') === 'true') marks.push('required');
  if ((own(el, 'readOnly') && HAS_VALUE.has(role)) || aria('readonly') === 'true') marks.push('readonly');
  if (aria('invalid') && aria('invalid') !== 'false') marks.push('invalid');
  if (el === focused && role !== 'frame') marks.push('focused');
  if (role === 'button' && inputType(el) === 'file') marks.push(own(el, 'multiple') ? 'files: page_upload' : 'file: page_upload');
  const options = optionList(el);
  if (options) marks.push('options: ' + options);
  const value = valueOf(item);
  return marks.filter(Boolean).map((m) => ' [' + m + ']').join('') + (value ? ': ' + value : '');
}

const sortedMark = (said) => ({ ascending: 'sorted ascending', descending: 'sorted descending', other: 'sorted' }[said] || '');

function headingLevel(el) {
  const tag = /^h([1-6])$/.exec(tagOf(el));
  const said = Number(attr(el, 'aria-level'));
  return tag ? tag[1] : said >= 1 && Number.isInteger(said) ? said : 2;
}

function checkedMark(el, aria) {
  if (own(el, 'indeterminate') || aria('checked') === 'mixed') return 'checked=mixed';
  const native = ['checkbox', 'radio'].includes(inputType(el));
  return (native ? own(el, 'checked') : aria('checked') === 'true') ? 'checked' : '';
}

function expandedMark(el, aria) {
  const details = tagOf(el) === 'summary' ? parentOf(el) : null;
  const open = details && tagOf(details) === 'details' ? String(hasAttr(details, 'open')) : aria('expanded');
  return { true: 'expanded', false: 'collapsed' }[open] || '';
}

function disabled(item) {
  if (isHTML(item.el) && matches(item.el, ':disabled')) return true;
  if (!CONTROLS_BY_ROLE.has(item.role)) return false;
  for (let el = item.el; el; el = parentOf(el)) {
    const said = (attr(el, 'aria-disabled') || '').toLowerCase();
    if (said) return said === 'true';
  }
  return false;
}

// optionList names the choices of a closed list box, whose options make no lines of their own.
function optionList(el) {
  if (tagOf(el) !== 'select' || roleOf(el) !== 'combobox') return '';
  const all = [...own(el, 'options')];
  const names = all.slice(0, MAX_OPTIONS).map((o) => cut(tidy(own(o, 'label') || ''), 30)).filter(Boolean);
  return names.join(' | ') + (all.length > MAX_OPTIONS ? ' | … ' + (all.length - MAX_OPTIONS) + ' more' : '');
}

function valueOf(item) {
  const { el, role } = item;
  if (role === 'button' && inputType(el) === 'file') return cut(tidy((own(el, 'value') || '').replace(/^.*[\\/]/, '')), NAME_MAX);
  if (!HAS_VALUE.has(role)) return '';
  return cut(tidy(rawValue(el, role)), NAME_MAX);
}

function rawValue(el, role) {
  const tag = tagOf(el);
  if (role === 'progressbar' || role === 'meter' || tag !== 'input') {
    const said = attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow');
    if (said) return said;
  }
  if (tag === 'select') return chosenOptions(el, role).map((o) => own(o, 'label')).join(', ');
  if (tag === 'input' || tag === 'textarea') {
    const value = own(el, 'value') || '';
    return value && secretField(el) ? '••••' : value;
  }
  if (VALUED.has(role)) return attr(el, 'value') || '';
  return secretField(el) ? '••••' : contentOf(el);
}
