// The selector engine: what Playwright calls. `assay=button "Delete" [2]` finds elements; `assay={"op":…}` answers with one detached
// element whose text is the answer as JSON, which Playwright reads in the same isolated world, in one round trip.

const LINE = /^([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(?: \[(\d+)\])?(?: column "((?:[^"\\]|\\.)*)")?$/s;
const MAX_LINES = 3000;
const documentTitle = getter(Document.prototype, 'title');

function queryAll(root, body) {
  const isDocument = nodeType(root) === 9;
  const doc = isDocument ? root : ownerDocument(root);
  const scope = nodeType(root) === 1 ? root : null;
  try {
    if (!body.startsWith('{')) return resolve(doc, scope, parseLine(body));
    const ask = JSON.parse(body);
    if (ask.op === 'secrets') return secretElements(doc, ask.values);
    if (ask.op === 'aimed') return aimedAt && isConnected(aimedAt) ? [aimedAt] : [];
    const told = OPS[ask.op](doc, scope, ask);
    if (told === LATER) return [];
    const answer = newElement(doc);
    answer.textContent = JSON.stringify(told);
    return [answer];
  } finally {
    state = null;
  }
}

const LATER = Symbol('it is answered by together');
const besides = new Map(); // questions about elements, by name: about how many they were put, and the last answer

// tried answers one of several questions; what fails of it is told by itself.
function tried(doc, scope, ask) {
  state = null;
  try {
    return OPS[ask.op](doc, scope, ask);
  } catch (e) {
    return { failed: String(e) };
  }
}

function parseLine(body) {
  const found = LINE.exec(body.trim());
  if (!found) throw new Error('not a snapshot line: ' + body);
  const [, role, quote, ordinal, column] = found;
  const text = (escaped) => (escaped === undefined ? null : escaped.replace(/\\(.)/gs, '$1'));
  return { role, quote: text(quote), n: Number(ordinal || 0), column: text(column) };
}

// meets returns the test that the items pass which a line means, before its ordinal.
function meets(line) {
  if (line.quote === null) return line.n ? (item) => !keyOf(item) : () => true;
  const wanted = bare(line.quote), icons = tidy(line.quote);
  const hidden = withSecrets(wanted);
  if (hidden) return (item) => hidden.test(keyOf(item)) || hidden.test(bare(fullQuote(item)));
  if (!wanted && icons) return (item) => fullQuote(item) === icons;
  return (item) => keyOf(item) === wanted || bare(fullQuote(item)) === wanted;
}

// withSecrets returns what a quote means in which ${secret:NAME} stands for a value, as a snapshot prints it; null without one. The value is not
// known here: any text may stand there.
function withSecrets(quote) {
  const parts = quote.split(/\$\{secret:[^}]*\}/);
  if (parts.length < 2) return null;
  return new RegExp('^' + parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+') + '$', 's');
}

function resolve(doc, scope, line) {
  if (line.column !== null) return cellsByHeads(doc, scope, line);
  const found = searchFor(doc, scope, line) || resolveByIndex(doc, scope, line);
  return line.n ? found.slice(line.n - 1, line.n) : found;
}

// ledTo lists the elements that lines lead to, one after the other; without lines, it is the scope.
function ledTo(doc, scope, lines) {
  let found = [scope];
  for (const line of (lines || []).map(parseLine)) found = [...new Set(found.flatMap((around) => resolve(doc, around, line)))];
  return found;
}

// searchFor looks for the words of a line first, which a line with a hidden value has not all of.
const searchFor = (doc, scope, line) => line.quote && withSecrets(line.quote) ? null : search(doc, scope, line.role, line.quote && bare(line.quote), meets(line));

// resolveByIndex lists the elements that a line means, before its ordinal, by the index of the whole document.
function resolveByIndex(doc, scope, line) {
  index(doc, scope);
  return pick(scope, line);
}

function pick(scope, line) {
  const test = meets(line);
  let found = inDocument(state.items).filter((item) => item.role === line.role && !item.gone && test(item));
  if (scope) {
    const [first, end] = state.scope || [0, 0];
    const inside = new Set(state.items.slice(first, end));
    found = found.filter((item) => inside.has(item) && item.el !== scope);
  }
  return [...new Set(found.map((item) => item.el))];
}

const OPS = {
  __proto__: null,

  // outline answers the lines of the scope, or of the document. With find, lines are marked that contain it. uid names an attribute to
  // report beside each line, for tests.
  outline(doc, scope, { find, uid }) {
    index(doc, scope);
    const focused = focusedIn(doc);
    const lines = scope && !state.scope ? [] : outline();
    const unseenWhy = unseenMarks();
    const wanted = find ? tidy(find).toLowerCase() : '';
    const out = [];
    for (const { item, d } of lines) {
      const line = { d };
      if (wanted && (item.role + ' ' + fullQuote(item) + decorations(item, focused)).toLowerCase().includes(wanted)) line.m = 1;
      if (out.length >= MAX_LINES && !wanted) break;
      line.h = selectorOf(item);
      line.s = decorations(item, focused) + (unseenWhy.has(item) ? ' [not seen: ' + unseenWhy.get(item) + ']' : '');
      if (item.role === 'frame') line.f = 1;
      if (uid) line.u = attr(item.el, uid) || '';
      out.push(line);
    }
    return { lines: out, more: lines.length - out.length, capped: state.capped, hidden: !!scope && !state.scope };
  },

  // items answers everything in the index, printed or not, for tests.
  items(doc, scope, { uid }) {
    return index(doc, null).filter((item) => !item.gone && item.role !== 'text')
      .map((item) => ({ role: item.role, name: item.role === 'frame' ? '' : nameOf(item.el), line: selectorOf(item), uid: attr(item.el, uid || 'id') || '' }));
  },

  // beside puts a question about one element that a selector finds, and leaves the answer to together, which ends the same call.
  beside(doc, scope, { name, asks }) {
    const n = (besides.get(name) || { n: 0 }).n + 1;
    besides.set(name, { n, answer: tried(doc, scope, asks[0]) });
    return LATER;
  },

  // together answers, for each name, what was put beside it, and the questions about the document.
  together(doc, scope, { names = [], asks = [] }) {
    const beside = names.map((name) => besides.get(name) || { n: 0 });
    besides.clear();
    return { beside, own: asks.map((ask) => tried(doc, null, ask)) };
  },

  // title answers the document's title.
  title(doc) {
    return { title: documentTitle(doc) };
  },

  // line answers the selector of one element: its snapshot line, or a CSS path where it has none. With all, also where it stands.
  line(doc, scope, { all } = {}) {
    const found = searchLine(doc, scope);
    if (found && !all) return { line: found };
    index(doc, scope);
    const own = state.items.filter((item) => item.el === scope && !item.gone);
    const item = own.find((i) => i.role !== 'text') || own[0];
    return { line: found || (item ? selectorOf(item) : cssPath(scope)), place: all ? standsAt(scope) : '' };
  },

  // compare answers where the search and the index differ, for tests: over the lines of all items, these without their ordinal and without their
  // quote, in the document and in some of its elements.
  compare(doc) {
    const items = index(doc, null).filter((item) => !item.gone), whole = state, differ = [];
    const texts = new Set(items.flatMap((item) => [selectorOf(item), lineOf(item, 0, 1), item.role, item.role + ' [2]']));
    const lines = [...texts].filter((text) => LINE.test(text));
    const scopes = [null, ...new Set(items.filter((item, i) => item.kids.length && i % 7 === 0).map((item) => item.el))].slice(0, 6);
    let searched = 0, wanted = 0;
    const same = (a, b) => a.length === b.length && a.every((el, i) => el === b[i]);
    for (const scope of scopes) {
      index(doc, scope);
      const indexed = state;
      for (const text of lines) {
        const line = parseLine(text), fast = searchFor(doc, scope, line);
        wanted++;
        if (fast) searched++;
        state = indexed;
        if (fast && !same(fast, pick(scope, line))) differ.push(text + (scope ? ' in ' + cssPath(scope) : '') + ' → ' + fast.map(cssPath));
      }
    }
    for (const item of items) {
      const fast = item.role === 'text' ? null : searchLine(doc, item.el);
      state = whole;
      if (fast && fast !== selectorOf(item)) differ.push(selectorOf(item) + ' is ' + fast);
    }
    return { differ, searched, asked: wanted };
  },

  // conceal makes one element a field that holds a secret.
  conceal(doc, scope) {
    concealed.add(controlOf(scope));
    return {};
  },

  // near answers the lines most like what matches nothing, each with its score: by role and name, by text, and by the words of a query in CSS
  // or XPath, which may be like an element's id, class or other attributes. frames are the frames in which to look on; first are the document's
  // first controls, for a page on which nothing is alike.
  near(doc, scope, { role, name, names, limit }) {
    index(doc, null);
    const wanted = bare(name || '').toLowerCase();
    const scored = [], first = [];
    for (const item of state.items) {
      if (item.gone) continue;
      if (first.length < limit && CONTROLS_BY_ROLE.has(item.role) && keyOf(item)) first.push(selectorOf(item));
      if (!wanted && item.role !== role && !names) continue;
      if (item.role === 'text' && item.parent && keyOf(item.parent) === keyOf(item)) continue; // its parent's line says it
      const score = Math.max(wanted || !names ? likeness(item, role, wanted) : 0, names ? handleLikeness(item, role, names) : 0);
      if (score > 0) scored.push({ item, score });
    }
    scored.sort((a, b) => b.score - a.score);
    const best = new Map();
    for (const { item, score } of scored.slice(0, limit * 3)) if (!best.has(selectorOf(item))) best.set(selectorOf(item), score);
    const lines = [...best].slice(0, limit);
    return { lines: lines.map(([line]) => line), scores: lines.map(([, score]) => score), first, frames: state.items.filter((item) => item.role === 'frame' && !item.gone).map(selectorOf) };
  },
};

// likeness scores an item against a role and a lower-case name; 0 is not alike at all.
function likeness(item, role, wanted) {
  const sameRole = item.role === role ? 1 : 0;
  if (!wanted) return sameRole;
  const name = keyOf(item).toLowerCase();
  if (!name) return 0;
  const contains = name.includes(wanted) || wanted.includes(name);
  const closeness = Math.min(name.length, wanted.length) / Math.max(name.length, wanted.length);
  // Of what nobody acts on, only the text counts, less than a control of that name.
  if (!sameRole && !CONTROLS_BY_ROLE.has(item.role) && item.role !== 'heading' && item.role !== 'text') return name.includes(wanted) ? 1 + closeness : sharedWords(wanted, name) >= 0.5 ? 0.5 : 0;
  const control = CONTROLS_BY_ROLE.has(item.role) ? 0.5 : 0;
  if (name === wanted) return !sameRole && !control && CONTROLS_BY_ROLE.has(role) ? 5 : 8 + sameRole + control; // a control of nearly that name comes before a text of it
  if (contains && (name.length > 2 || sameRole)) return 4 + sameRole + closeness;
  const longest = Math.max(name.length, wanted.length);
  if (longest > 100) return 0;
  const common = commonWords(name, wanted);
  if (common > 0) return 2 + sameRole + common;
  if ((!sameRole && !control) || Math.abs(name.length - wanted.length) > longest / 2) return 0;
  const distance = edits(name, wanted);
  return distance <= longest / (sameRole ? 2 : 3) ? 2 * (1 - distance / longest) + sameRole : 0;
}

const longWords = (text) => new Set(text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2));

// sharedWords returns which part of the first text's words the second one has.
function sharedWords(a, b) {
  const left = [...longWords(a)], right = longWords(b);
  return left.filter((word) => right.has(word)).length / Math.max(left.length, 1);
}

// commonWords returns which part of the longer text's words both have, in words of three letters and more.
function commonWords(a, b) {
  const left = longWords(a), right = longWords(b);
  const both = [...left].filter((word) => right.has(word)).length;
  return both / Math.max(left.size, right.size, 1);
}

// HANDLES are the attributes by which scripts and tests call an element.
const HANDLES = ['id', 'name', 'data-testid', 'data-test', 'class', 'type', 'placeholder', 'href', 'for', 'title', 'aria-label'];

// handleLikeness scores an item against the words of a query that matches nothing, by its attributes and its name.
function handleLikeness(item, role, names) {
  let best = 0;
  const said = HANDLES.map((name) => (item.role === 'text' ? '' : attr(item.el, name) || '')).concat(keyOf(item)).filter(Boolean);
  const weight = CONTROLS_BY_ROLE.has(item.role) ? 1 : 0.5;
  for (const wanted of names) {
    for (const text of said) {
      if (text.length > 100) continue;
      for (const word of new Set([text, ...text.split(/\s+/)])) best = Math.max(best, alike(word.toLowerCase(), wanted));
    }
  }
  return best && best * weight * 4 + (item.role === role ? 1 : 0);
}

// alike returns how far two handles are alike: 1 is equal but for case and punctuation.
function alike(a, b) {
  const plain = (text) => text.replace(/[^\p{L}\p{N}]+/gu, '');
  const x = plain(a), y = plain(b);
  if (!x || !y) return 0;
  if (x === y) return 1;
  const longest = Math.max(x.length, y.length), shortest = Math.min(x.length, y.length);
  if (shortest > 2 && (x.includes(y) || y.includes(x))) return 0.5 + 0.3 * (shortest / longest);
  const common = commonWords(a, b);
  if (common) return 0.3 + 0.3 * common;
  const distance = edits(x, y);
  return shortest > 3 && distance <= longest / 3 ? 0.9 * (1 - distance / longest) : 0;
}

// edits returns the Levenshtein distance.
function edits(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}
