// What must stay hidden: fields that were filled with a secret, and what shows one. It is kept here alone, in Playwright's isolated
// world; the page can't read or change it, and it goes with the document.

const concealed = new Set();

const secretTexts = (values) =>
  values ? JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(values), (c) => c.charCodeAt(0)))).map(tidy).filter(Boolean) : [];

// secretElements lists the fields that hold a secret and the elements that show one of the values, given as JSON in base64.
function secretElements(doc, values) {
  const wanted = secretTexts(values);
  const shows = (text) => wanted.length > 0 && !!text && wanted.some((value) => text.includes(value) || tidy(text).includes(value));
  const found = [];
  const inRoot = (root) => {
    const texts = shows(textContent(nodeType(root) === 9 ? rootElement(root) : root));
    for (const el of elementsOf(root)) {
      const shadow = shadowRootOf(el);
      if (shadow) inRoot(shadow);
      if (holdsSecret(el, shows) || (texts && showsItself(el, shows))) found.push(el);
    }
  };
  if (rootElement(doc)) inRoot(doc);
  return found;
}

const elementsOf = (root) => (nodeType(root) === 9 ? Document : DocumentFragment).prototype.querySelectorAll.call(root, '*');

function holdsSecret(el, shows) {
  if (concealed.size && concealed.has(el)) return true;
  const tag = localName(el);
  return (tag === 'input' && inputType(el) === 'password' && own(el, 'value') !== '') || ((tag === 'input' || tag === 'textarea') && shows(own(el, 'value')));
}

// showsItself reports whether an element shows a value that none of its children shows alone.
function showsItself(el, shows) {
  if (HIDDEN_TEXT.has(tagOf(el)) || !shows(textContent(el))) return false;
  for (let child = firstElement(el); child; child = nextElement(child)) if (shows(textContent(child))) return false;
  return true;
}

const HIDDEN_TEXT = new Set(['script', 'style', 'noscript', 'template', 'head', 'title']);
