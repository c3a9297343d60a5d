// What an element is called: its accessible name (accname 1.2, HTML-AAM), from its author, its label, its native text or its content.

const NAMELESS = new Set(['caption', 'code', 'definition', 'deletion', 'emphasis', 'generic', 'insertion', 'mark', 'paragraph',
  'presentation', 'strong', 'subscript', 'superscript', 'term', 'time']);
const NAMED_BY_CONTENT = new Set(['button', 'cell', 'checkbox', 'columnheader', 'gridcell', 'heading', 'link', 'menuitem',
  'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'row', 'rowheader', 'switch', 'tab', 'tooltip', 'treeitem']);
// The roles whose text counts into the name of an element around them.
const LENDS_CONTENT = new Set(['caption', 'code', 'contentinfo', 'definition', 'deletion', 'emphasis', 'insertion', 'list', 'listitem',
  'mark', 'none', 'paragraph', 'presentation', 'region', 'row', 'rowgroup', 'strong', 'subscript', 'superscript', 'table', 'term', 'time']);
const VALUED = new Set(['progressbar', 'scrollbar', 'slider', 'spinbutton', 'meter']);
const IGNORED = new Set(['script', 'style', 'noscript', 'template']);
const INLINE = new Set(['inline', 'contents', 'ruby', 'ruby-text', 'ruby-base']);
const TYPED = new Set(['text', 'password', 'search', 'tel', 'email', 'url']);
const MAX_NAME_DEPTH = 120;
const MAX_NAME_TEXT = 4000;

// nameOf returns the accessible name of a visible element, tidied.
function nameOf(el) {
  let name = state.names.get(el);
  if (name === undefined) {
    name = NAMELESS.has(roleOf(el)) ? '' : tidy(alternative(el, { from: 'self', seen: new Set(), depth: 0, room: { left: MAX_NAME_TEXT } }));
    state.names.set(el, name);
  }
  return name;
}

// wordsIn returns the text inside an element as a name would have it.
const wordsIn = (el) => tidy(content(el, { from: 'native', seen: new Set(), depth: 0, room: { left: MAX_NAME_TEXT } }));

// contentOf returns the text inside an element as a name would have it, without that of the controls in it.
const contentOf = (el) =>
  tidy(content(el, { from: 'native', seen: new Set(), depth: 0, room: { left: MAX_NAME_TEXT }, skipControls: true }));

const hiddenNow = (el) => !state.display.has(el);

// alternative returns the text that stands for an element. via says how the computation came here: from the element itself, from an
// element around it (descendant), through a label, through aria-labelledby, or through a native text such as a legend; force
// includes hidden elements, since a hidden label still names.
function alternative(el, via) {
  if (via.seen.has(el) || IGNORED.has(tagOf(el)) || via.depth > MAX_NAME_DEPTH) return '';
  if (!via.force && hiddenNow(el)) {
    via.seen.add(el);
    return '';
  }
  const refs = idRefs(el, 'aria-labelledby');
  if (via.from !== 'labelledby') {
    const text = refs.map((ref) => alternative(ref, { ...via, from: 'labelledby', force: hiddenNow(ref), depth: via.depth + 1 })).join(' ');
    if (text) return text;
  }
  const role = roleOf(el) || '';
  if (via.skipControls && via.depth > 0 && (CONTROLS_BY_ROLE.has(role) || state.clickable.has(el))) return '';
  if (['label', 'labelledby', 'descendant'].includes(via.from) && !refs.includes(el)) {
    const value = embeddedValue(el, role, via);
    if (value !== undefined) {
      via.seen.add(el);
      return value;
    }
  }
  const label = attr(el, 'aria-label') || '';
  if (label.trim()) {
    via.seen.add(el);
    return label;
  }
  if (!isPresentation(role)) {
    const native = nativeName(el, refs.length > 0, via);
    if (native !== undefined) {
      via.seen.add(el);
      return native;
    }
  }
  if (takesContent(el, role, via)) {
    const text = content(el, via);
    if (via.from === 'self' ? text.trim() : text) return text;
  }
  via.seen.add(el);
  const title = attr(el, 'title') || '';
  return title.trim() && (!isPresentation(role) || tagOf(el) === 'iframe') ? title : '';
}

function takesContent(el, role, via) {
  if (via.from === 'label' || via.from === 'labelledby' || via.from === 'native') return true;
  if (NAMED_BY_CONTENT.has(role)) return true;
  if (tagOf(el) === 'summary' && !isPresentation(role)) return true;
  return via.from === 'descendant' && (role === '' || LENDS_CONTENT.has(role));
}

// embeddedValue returns what a control inside a label counts for: its value ("Flash the screen [3] times"). A secret never counts.
function embeddedValue(el, role, via) {
  if (role === 'textbox') return secretField(el) ? '' : own(el, 'value') ?? textContent(el);
  if (role === 'combobox' || role === 'listbox') {
    const options = chosenOptions(el, role);
    if (!options.length && tagOf(el) === 'input') return own(el, 'value');
    via.seen.add(el);
    return options.map((o) => alternative(o, { ...descend(via), from: via.from === 'self' ? 'descendant' : via.from })).join(' ');
  }
  if (VALUED.has(role)) return attr(el, 'aria-valuetext') ?? attr(el, 'aria-valuenow') ?? (attr(el, 'value') || '');
  return role === 'menu' ? '' : undefined;
}

function chosenOptions(el, role) {
  if (tagOf(el) === 'select') {
    const chosen = [...own(el, 'selectedOptions')];
    const all = own(el, 'options');
    return chosen.length || !all.length ? chosen : [all[0]];
  }
  const inside = (root) => [...Element.prototype.querySelectorAll.call(root, '*'), ...idRefs(root, 'aria-owns')];
  const list = role === 'listbox' ? el : inside(el).find((e) => roleOf(e) === 'listbox');
  return list ? inside(list).filter((e) => attr(e, 'aria-selected') === 'true' && roleOf(e) === 'option') : [];
}

const SECRET_AUTOFILL = new Set(['current-password', 'new-password', 'one-time-code', 'cc-number', 'cc-csc']);

// secretField reports whether what is typed here must not be shown.
function secretField(el) {
  if (concealed.has(el)) return true;
  if (inputType(el) === 'password') return true;
  if ((attr(el, 'autocomplete') || '').toLowerCase().split(/\s+/).some((token) => SECRET_AUTOFILL.has(token))) return true;
  const masked = styleOf(el).webkitTextSecurity;
  return !!masked && masked !== 'none';
}

const descend = (via) => ({ ...via, depth: via.depth + 1, from: via.from === 'self' ? 'descendant' : via.from });

// nativeName returns the name that HTML itself gives; undefined where the tag has no say, '' where it has one and there is none.
function nativeName(el, labelled, via) {
  const tag = tagOf(el);
  const title = () => attr(el, 'title') || '';
  if (tag === 'input' && inputType(el) in INPUT_NAMES) return INPUT_NAMES[inputType(el)](el, via);
  if (labelled) return drawnName(el, tag, via);
  switch (tag) {
    case 'button': return byLabels(el, via);
    case 'output': return byLabels(el, via) ?? title();
    case 'input': return byLabels(el, via) ?? (title() || (TYPED.has(inputType(el)) ? attr(el, 'placeholder') : '') || '');
    case 'textarea': return byLabels(el, via) ?? (title() || attr(el, 'placeholder') || '');
    case 'select': return byLabels(el, via) ?? title();
    case 'fieldset': return byChild(el, 'legend', via) ?? title();
    case 'figure': return byChild(el, 'figcaption', via) ?? title();
    default: return drawnName(el, tag, via);
  }
}

const buttonValue = (fallback) => (el) => {
  const value = own(el, 'value') || '';
  return value.trim() ? value : fallback || attr(el, 'title') || '';
};
const INPUT_NAMES = {
  __proto__: null,
  button: buttonValue(''),
  submit: buttonValue('Submit'),
  reset: buttonValue('Reset'),
  file: (el, via) => (via.from === 'labelledby' ? undefined : byLabels(el, via)) ?? 'Choose File',
  image: (el, via) => (via.from === 'labelledby' ? undefined : byLabels(el, via)) ??
    ([attr(el, 'alt'), attr(el, 'title')].find((s) => s && s.trim()) || 'Submit'),
};

// byLabels returns the text of a control's <label>s; undefined when it has none.
function byLabels(el, via) {
  const labels = labelsOf(el);
  if (!labels.length) return undefined;
  via.seen.add(el);
  const texts = labels.map((label) => alternative(label, { ...via, from: 'label', force: hiddenNow(label), depth: via.depth + 1 }));
  return texts.filter(Boolean).join(' ');
}

// byChild returns the text of the first child with a tag; undefined when there is none.
function byChild(el, tag, via, from = 'native') {
  for (let child = firstElement(el); child; child = nextElement(child)) {
    if (tagOf(child) === tag) return alternative(child, { ...descend(via), from, force: hiddenNow(child) });
  }
  return undefined;
}

// drawnName returns the name of what is drawn rather than written: images, image maps, graphics, and tables with a caption.
function drawnName(el, tag, via) {
  if (tag === 'img' || tag === 'area') return [attr(el, 'alt'), attr(el, 'title')].find((s) => s && s.trim()) || '';
  if (tag === 'table') return byChild(el, 'caption', via) ?? (attr(el, 'summary') || undefined);
  if (!isSVG(el)) return undefined;
  const title = byChild(el, 'title', via, 'labelledby');
  return title ?? (tag === 'a' && attr(el, 'xlink:title') ? attr(el, 'xlink:title') : undefined);
}

// content returns the text inside an element, block by block, with what CSS writes before and after it.
function content(el, via) {
  via.seen.add(el);
  const inner = descend(via);
  let text = pseudoText(el, '::before');
  for (const child of [...flatChildren(el), ...idRefs(el, 'aria-owns')]) {
    if (via.room.left <= 0) break;
    if (nodeType(child) === 3) {
      const words = nodeValue(child);
      via.room.left -= words.length;
      text += words;
      continue;
    }
    const said = alternative(child, inner);
    const display = state.display.get(child) ?? styleOf(child).display;
    text += display === 'inline' && tagOf(child) !== 'br' ? said : ' ' + said + ' ';
  }
  return text + pseudoText(el, '::after');
}

const CSS_PIECE = /^\s*(?:("|')((?:[^\\]|\\.)*?)\1|attr\(([\w-]+)\)|(\/))\s*/s;

// pseudoText returns what CSS writes before or after an element: strings and attributes; after a slash stands its spoken form. Counters
// and pictures have no text that can be read, so content with one of them counts for nothing.
function pseudoText(el, pseudo) {
  const style = styleOf(el, pseudo);
  let rest = style.content, text = '';
  if (!rest || rest === 'none' || rest === 'normal' || style.display === 'none' || style.visibility === 'hidden') return '';
  while (rest) {
    const piece = CSS_PIECE.exec(rest);
    if (!piece) return '';
    if (piece[4]) text = '';
    else text += piece[3] ? attr(el, piece[3]) || '' : piece[2].replace(/\\([0-9a-fA-F]{1,6}) ?|\\(.)/gs, unescapeCSS);
    rest = rest.slice(piece[0].length);
  }
  return style.display === 'inline' ? text : ' ' + text + ' ';
}

const unescapeCSS = (_, hex, char) => (hex ? String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)) : char);
