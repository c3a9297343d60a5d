// survey describes elements for whoever looks for them again: those given, or, with all, those of the document of the first that can be worked or read;
// with worked those alone that are worked, without ways to find them.
// It changes nothing in the page.

const MAX_SURVEYED = 2000, MAX_WORKED = 500, MAX_GIVEN = 60;
const SKIPPED = new Set(['html', 'head', 'body', 'script', 'style', 'meta', 'link', 'title', 'template', 'noscript', 'br', 'hr', 'path', 'g']);
const TEST_IDS = ['data-testid', 'data-test', 'data-cy'];
const WORKABLE = 'input:not([type=hidden]),select,textarea,button,a,[onclick],[tabindex],[contenteditable]:not([contenteditable=false])';

function survey(given, { all, worked }) {
  const doc = ownerDocument(given[0]);
  index(doc, null);
  const lines = new Map();
  for (const item of state.items) if (!item.gone && (!lines.has(item.el) || lines.get(item.el).role === 'text')) lines.set(item.el, item);
  const sectionOf = sections();
  if (!all) return given.slice(0, MAX_GIVEN).map((el) => describe(el, lines.get(el), sectionOf));
  if (worked) return everything(doc).filter((el) => works(el, lines.get(el))).slice(0, MAX_WORKED).map((el) => describe(el, lines.get(el), sectionOf));
  const t = tallies(doc), out = [];
  for (const el of t.all) {
    if (out.length >= MAX_SURVEYED) break;
    const item = lines.get(el);
    if (SKIPPED.has(tagOf(el)) || !(item || worksOrSpeaks(el))) continue;
    const found = describe(el, item, sectionOf);
    if (found.visible) found.locators = locatorsOf(el, item, t);
    out.push(found);
  }
  return out;
}

const worksOrSpeaks = (el) => inputType(el) !== 'hidden' &&
  (roleOf(el) || matches(el, WORKABLE) || childrenOf(el).some((node) => nodeType(node) === 3 && /\S/.test(nodeValue(node))) || styleOf(el).cursor === 'pointer');

const works = (el, item) => item && rendered(el) && (WORKED.has(item.role) || matches(el, WORKABLE));

// describe says of an element what a snapshot says of its line, and by what else it is known again. One that nobody sees has the name that it will have;
// words that nobody sees in it are its text where it has no other.
function describe(el, item, sectionOf) {
  const line = item && item.role !== 'text' ? item : null, role = line ? line.role : roleOf(el) || '', tag = tagOf(el), box = boxOf(el), win = windowOf(ownerDocument(el));
  const holder = item && holderOf(item), at = (name) => attr(el, name) || '';
  return {
    tag, type: ['input', 'button'].includes(tag) ? inputType(el) : '', role: isPresentation(role) ? '' : role, name: said(bare(line ? fullQuote(line) : nameWhenSeen(el))),
    text: ['input', 'textarea', 'select'].includes(tag) ? '' : (said(isHTML(el) ? innerText(el) : '') || said(textContent(el))), id: at('id'), formName: at('name'),
    testId: TEST_IDS.map(at).find(Boolean) || '', classes: at('class').split(/\s+/).filter(Boolean).slice(0, 20), href: address(el), placeholder: at('placeholder'),
    near: near(el), section: sectionOf(el), path: pathOf(el), fromId: pathOf(el, true), landmark: landmarkAround(el), within: holder ? holder.role + ' ' + quoted(keyOf(holder)) : '',
    visible: box.width > 0 && box.height > 0 && Element.prototype.checkVisibility.call(el, { checkVisibilityCSS: true, visibilityProperty: true }),
    box: { x: Math.round(box.x + win.scrollX), y: Math.round(box.y + win.scrollY), width: Math.round(box.width), height: Math.round(box.height) },
    twins: item ? sameLines(item).size - 1 : 0,
  };
}

const nameWhenSeen = (el) => nameOf(el) || (NAMELESS.has(roleOf(el)) ? '' : alternative(el, { from: 'self', force: true, seen: new Set(), depth: 0, room: { left: MAX_NAME_TEXT } }));

// address returns where a link leads, without the site's own origin.
function address(el) {
  if (!['a', 'area'].includes(tagOf(el)) || !hasAttr(el, 'href') || !isHTML(el)) return '';
  const doc = ownerDocument(el);
  try {
    const url = new URL(attr(el, 'href'), doc.baseURI);
    return (url.origin === windowOf(doc).location.origin ? url.pathname + url.search + url.hash : url.href).slice(0, 300);
  } catch {
    return attr(el, 'href').slice(0, 300); // no address
  }
}

function landmarkAround(el) {
  for (let up = parentOf(el); up; up = parentOf(up)) {
    const role = roleOf(up);
    if (LANDMARKS.has(role) && role !== 'form') return role === 'alertdialog' ? 'dialog' : role;
  }
  return '';
}

function placeAmongSiblings(el) {
  let n = 1;
  for (let before = prevElement(el); before; before = prevElement(before)) if (localName(before) === localName(el)) n++;
  return localName(el) + '[' + n + ']';
}

// pathOf returns tags with their places, from the root, or from the nearest element around it with an id.
function pathOf(el, fromId) {
  const out = [];
  for (let up = el; up; up = parentOf(up)) {
    const id = fromId && up !== el && attr(up, 'id');
    out.unshift(id ? '#' + id : placeAmongSiblings(up));
    if (id) break;
  }
  return out.join('/');
}

// near returns what is said around an element, in the smallest block that says more than it does.
function near(el) {
  const own = tidy(textContent(el));
  for (let around = parentOf(el), up = 0; around && up < 4; around = parentOf(around), up++) {
    const text = tidy(textContent(around));
    if (text.length > own.length + 2) return said(text.replace(own, ' '));
  }
  return '';
}
