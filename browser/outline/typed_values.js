// What the caller of the tools typed or chose, by the field that took it. It is known here alone, as secrets are (secret_fields.js), and goes with
// the document.

// pageWindow returns the window of the page, or of the outermost frame around this one whose parents are in reach.
function pageWindow() {
  let at = globalThis;
  try {
    while (at.parent !== at && at.parent.document) at = at.parent;
  } catch {
    // of another origin
  }
  return at;
}

// placeOfPage returns one place for the frames of a page: whoever reads the page's texts reads those of its frames too.
function placeOfPage(called, made) {
  const at = pageWindow(), name = Symbol.for(called);
  if (!at[name]) Object.defineProperty(at, name, { value: made() });
  return at[name];
}

const typedInto = placeOfPage('assay typed', () => new WeakMap());

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
  const el = scope ? controlOf(scope) : focusedIn(doc);
  if (el && (!all || heldBy(el))) noteTyped(el, all ? heldBy(el) : name || '');
  return {};
};

function noteTyped(el, text) {
  if (secretField(el)) return;
  if (!('value' in el)) typedInto.editors = true;
  typedInto.set(el, text);
}

// typedAround reports whether a text stands in an editor that holds just what was typed there.
function typedAround(el) {
  if (!typedInto.editors) return false;
  for (let at = el; at; at = flatParent(at)) if (typedInto.has(at)) return isTyped(at);
  return false;
}

const MAX_STORED = 200; // entries
const plainText = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// stored answers what the document's site keeps in cookies and storage, each entry as a text; all: with what is seen on the page, as mark does.
OPS.stored = (doc, scope, { all }) => {
  const win = windowOf(doc), texts = [];
  for (const read of [() => doc.cookie.split('; '), ...['localStorage', 'sessionStorage'].map((name) => () => Object.entries(win[name]).map(([key, value]) => key + '=' + value))]) {
    try {
      texts.push(...read().slice(0, MAX_STORED).filter((text) => text));
    } catch {} // the site may keep nothing
  }
  let cookie = '';
  try {
    cookie = doc.cookie;
  } catch {} // as above
  return { ...(all ? seenNow(doc) : {}), stored: texts.map((text) => plainText(text).slice(0, 4000)), cookie };
};

// typed reports whether an element holds what was typed there, and whether that is what it held before the newest act.
OPS.typed = (doc, scope) => withRules(() => ({ on: isTyped(scope), stood: stoodAs(scope) }));

// essenceOf returns the letters and digits of a text: what formatting leaves.
const essenceOf = (text) => [...text.replace(/[^\p{L}\p{Nd}]/gu, '')].map((c) => c.toLowerCase()).join('');

const PASSWORDS = new Set(['current-password', 'new-password']);

// filled compares what a field holds with what was typed into it: "equal", "formatted", "empty" or "other". Of a password every character counts. The text
// itself is answered only where neither the caller nor the field makes it a secret. loose says that the field may show something else than it took: an
// editor, or the first box of a one-time code, which hands its digits on.
OPS.filled = (doc, scope, { lines, name, secret }) => lookAtOne(doc, scope, lines, (named) => {
  const el = controlOf(named), field = ['input', 'textarea'].includes(tagOf(el)) && typeof own(el, 'value') === 'string';
  if (!field && !isEditor(el)) return {};
  const held = heldBy(el), typed = (name || '').replace(/\r\n?/g, '\n');
  const purposes = (attr(el, 'autocomplete') || '').toLowerCase().split(/\s+/);
  const password = inputType(el) === 'password' || purposes.some((p) => PASSWORDS.has(p));
  let match = 'other';
  if (held === typed) match = 'equal';
  else if (!held.trim() && typed.trim()) match = 'empty';
  else if (!password && essenceOf(held) === essenceOf(typed)) match = 'formatted';
  const out = { match, loose: !field || purposes.includes('one-time-code') };
  return secret || secretField(el) ? { ...out, withheld: true } : { ...out, value: cut(held, MAX_ATTRIBUTE) };
});
