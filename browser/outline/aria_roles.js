// What an element is: its ARIA role, by the role attribute, or by its tag (HTML-AAM).

const ROLES = new Set(`alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading
img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter
navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search
searchbox separator slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox time timer
toolbar tooltip tree treegrid treeitem`.split(/\s+/));

// The roles of lines that are worked.
const WORKED = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'switch', 'slider', 'spinbutton', 'menuitem',
  'menuitemcheckbox', 'menuitemradio', 'tab', 'option', 'treeitem', 'clickable']);

const PLAIN_TAGS = {
  __proto__: null,
  article: 'article', aside: 'complementary', blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code',
  datalist: 'listbox', dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term',
  em: 'emphasis', fieldset: 'group', figure: 'figure', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading',
  h6: 'heading', hr: 'separator', html: 'document', ins: 'insertion', li: 'listitem', main: 'main', mark: 'mark', math: 'math',
  menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group', option: 'option', output: 'status',
  p: 'paragraph', progress: 'progressbar', search: 'search', strong: 'strong', sub: 'subscript', sup: 'superscript', svg: 'img',
  table: 'table', tbody: 'rowgroup', textarea: 'textbox', tfoot: 'rowgroup', thead: 'rowgroup', time: 'time', tr: 'row', ul: 'list',
};

const named = (el) => hasAttr(el, 'aria-label') || hasAttr(el, 'aria-labelledby');
const linked = (el) => (hasAttr(el, 'href') ? 'link' : null);

// The tags whose role depends on more than the tag.
const CONDITIONAL_TAGS = {
  __proto__: null,
  a: linked,
  area: linked,
  footer: (el) => (insideSection(el) ? null : 'contentinfo'),
  header: (el) => (insideSection(el) ? null : 'banner'),
  form: (el) => (named(el) ? 'form' : null),
  section: (el) => (named(el) ? 'region' : null),
  img: (el) => (decorative(el) ? 'presentation' : 'img'),
  input: inputRole,
  select: (el) => (hasAttr(el, 'multiple') || own(el, 'size') > 1 ? 'listbox' : 'combobox'),
  td: (el) => (['grid', 'treegrid'].includes(explicitRole(closestTag(el, 'table'))) ? 'gridcell' : 'cell'),
  th: headerCellRole,
};

const INPUT_ROLES = {
  __proto__: null,
  button: 'button', checkbox: 'checkbox', file: 'button', hidden: null, image: 'button', number: 'spinbutton', radio: 'radio',
  range: 'slider', reset: 'button', submit: 'button',
};
const LISTED_INPUTS = new Set(['', 'email', 'tel', 'text', 'url']);

function inputRole(el) {
  const type = inputType(el);
  if (type === 'search') return hasAttr(el, 'list') ? 'combobox' : 'searchbox';
  if (LISTED_INPUTS.has(type)) {
    const list = idRefs(el, 'list')[0];
    return list && tagOf(list) === 'datalist' ? 'combobox' : 'textbox';
  }
  return type in INPUT_ROLES ? INPUT_ROLES[type] : 'textbox';
}

// A <th> heads its column, unless its scope says otherwise or it stands beside data in its row.
function headerCellRole(el) {
  const scope = attr(el, 'scope');
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  const before = prevElement(el), after = nextElement(el);
  if (!before && !after) {
    const row = parentNode(el);
    const table = row && nodeType(row) === 1 && tagOf(row) === 'tr' ? closestTag(row, 'table') : null;
    return table instanceof HTMLTableElement && tableRows(table).length <= 1 ? null : 'columnheader';
  }
  const header = (cell) => cell && tagOf(cell) === 'th';
  const data = (cell) => cell && tagOf(cell) === 'td' && (textContent(cell).trim() !== '' || firstElement(cell));
  if (header(before) && header(after)) return 'columnheader';
  return data(before) || data(after) ? 'rowheader' : 'columnheader';
}

const SECTIONS = new Set(['article', 'aside', 'main', 'nav', 'section']);
const SECTION_ROLES = new Set(['article', 'complementary', 'main', 'navigation', 'region']);

// insideSection distinguishes a page's header from an article's.
function insideSection(el) {
  for (let up = parentOf(el); up; up = parentOf(up)) {
    const role = attr(up, 'role');
    if (role === null ? SECTIONS.has(tagOf(up)) : SECTION_ROLES.has(role)) return true;
  }
  return false;
}

function closestTag(el, tag) {
  for (let up = el; up; up = parentOf(up)) if (tagOf(up) === tag) return up;
  return null;
}

const decorative = (el) => attr(el, 'alt') === '' && !attr(el, 'title') && !hasGlobalState(el, '') && !hasTabIndex(el);

// The attributes that make an element worth announcing even when its author called it decoration.
const GLOBAL_STATES = ['aria-atomic', 'aria-busy', 'aria-controls', 'aria-current', 'aria-describedby', 'aria-details',
  'aria-dropeffect', 'aria-flowto', 'aria-grabbed', 'aria-hidden', 'aria-keyshortcuts', 'aria-live', 'aria-owns', 'aria-relevant'];
const UNLABELLED = new Set(['caption', 'code', 'deletion', 'emphasis', 'generic', 'insertion', 'paragraph', 'presentation', 'strong',
  'subscript', 'superscript']);

function hasGlobalState(el, role) {
  if (GLOBAL_STATES.some((name) => hasAttr(el, name))) return true;
  if (role !== 'generic' && hasAttr(el, 'aria-roledescription')) return true;
  return !UNLABELLED.has(role) && named(el);
}

const tabIndex = (el) => {
  const value = attr(el, 'tabindex');
  return value === null ? NaN : Number(value);
};
const hasTabIndex = (el) => !Number.isNaN(tabIndex(el));

function focusable(el) {
  if (isHTML(el) && matches(el, ':disabled')) return false;
  if (hasTabIndex(el)) return true;
  switch (tagOf(el)) {
    case 'button': case 'details': case 'select': case 'textarea': return true;
    case 'a': case 'area': return hasAttr(el, 'href');
    case 'input': return !hasAttr(el, 'hidden');
    default: return false;
  }
}

// explicitRole returns the first valid token of the role attribute, or null.
function explicitRole(el) {
  const value = el && attr(el, 'role');
  if (!value) return null;
  return value.toLowerCase().split(/\s+/).find((token) => ROLES.has(token)) || null;
}

// A list or table that is called presentational passes that on to the parts it can't do without.
const PARTS_OF = {
  __proto__: null,
  dd: ['dl', 'div'], div: ['dl'], dt: ['dl', 'div'], li: ['ol', 'ul'], tbody: ['table'], td: ['tr'], tfoot: ['table'], th: ['tr'],
  thead: ['table'], tr: ['thead', 'tbody', 'tfoot', 'table'],
};
const isPresentation = (role) => role === 'presentation' || role === 'none';

function implicitRole(el) {
  const tag = tagOf(el);
  const role = tag in CONDITIONAL_TAGS ? CONDITIONAL_TAGS[tag](el) : PLAIN_TAGS[tag] || null;
  if (!role) return null;
  for (let part = el; ;) {
    const whole = parentOf(part);
    if (!whole || !(PARTS_OF[tagOf(part)] || []).includes(tagOf(whole))) return role;
    const said = explicitRole(whole);
    if (isPresentation(said) && !hasGlobalState(whole, said) && !focusable(whole)) return said;
    part = whole;
  }
}

// roleOf returns the element's role, or null. A focusable or described element can't be made presentational.
function roleOf(el) {
  if (state.roles.has(el)) return state.roles.get(el);
  let role = explicitRole(el) || implicitRole(el);
  if (isPresentation(role) && explicitRole(el)) {
    const implied = implicitRole(el);
    if (hasGlobalState(el, implied || '') || focusable(el)) role = implied;
  }
  state.roles.set(el, role);
  return role;
}
