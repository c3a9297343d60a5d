// How an outline differs from what it was before an act: lines that came, that went and that changed. An element is known again by itself, so that a
// changed ordinal is no change; lines that were drawn anew with the same words are none either.

{
  let marked = null; // the outline before the act
  let tooLarge = null; // a document that takes too long to compare

  const MAX_MARKED = 20000; // nodes

  const MAX_SHOWN = 120; // characters of one line
  const MAX_ORDER = 3; // lines that are named of those in another order
  const FIRST = new Set(['alert', 'alertdialog', 'dialog', 'status', 'heading']);
  const LANDMARKS = new Set(['main', 'navigation', 'form', 'search', 'region', 'tabpanel', 'dialog', 'alertdialog', 'alert', 'status']);
  const CLOCK = /\d{1,2}:\d{2}:\d{2}|\b\d+\s*(?:s|sec|seconds?|ms)\b/; // what changes by itself
  const STEADY = 60, LONG = 150; // ms

  // observe counts the changes of a document, so that a page that goes on is recognised.
  function observe(doc) {
    const seen = { first: 0, last: 0, times: 0 };
    const observer = new MutationObserver(() => {
      seen.last = performance.now();
      seen.first ||= seen.last;
      seen.times++;
    });
    observer.observe(doc, { subtree: true, childList: true, characterData: true, attributes: true });
    return { seen, stop: () => observer.disconnect() };
  }

  // linesOf lists the outline's lines with what is compared of them, and the line that each stands under.
  function linesOf(doc) {
    index(doc, null);
    const out = [], path = [];
    for (const { item, d } of outline()) {
      path.length = d;
      const value = item.role === 'text' ? '' : valueOf(item);
      const all = item.role === 'text' ? '' : decorations(item, null);
      const marks = value && all.endsWith(': ' + value) ? all.slice(0, -value.length - 2) : all;
      const line = { item, el: item.el, role: item.role, quote: shownQuote(item), value, marks, depth: d, up: path[d - 1] || null };
      path[d] = line;
      out.push(line);
    }
    return out;
  }

  const nameOfLine = (line) => line.role + (line.quote ? ' ' + quoted(line.quote) : '');
  const short = (text) => (text.length > MAX_SHOWN ? text.slice(0, MAX_SHOWN - 1) + '…' : text);

  // pairUp takes the pairs out of two lists whose lines have the same key, and hands them over.
  function pairUp(went, came, key, use) {
    const open = new Map();
    for (const line of went) {
      const k = key(line);
      if (!open.has(k)) open.set(k, []);
      open.get(k).push(line);
    }
    const paired = new Set();
    for (const line of came) {
      const old = (open.get(key(line)) || []).shift();
      if (!old) continue;
      paired.add(old).add(line);
      use(old, line);
    }
    return [went.filter((line) => !paired.has(line)), came.filter((line) => !paired.has(line))];
  }

  const ids = new WeakMap();
  let lastID = 0;
  function idOf(el) {
    if (!ids.has(el)) ids.set(el, ++lastID);
    return ids.get(el);
  }

  function marksOf(line) {
    return line.marks.match(/\[[^\]]*\]/g) || [];
  }

  // changedLine says how a line differs; '' where it does not.
  function changedLine(old, now) {
    const parts = [];
    const had = marksOf(old).filter((mark) => !marksOf(now).includes(mark)), has = marksOf(now).filter((mark) => !marksOf(old).includes(mark));
    if (had.length || has.length) parts.push((had.join(' ') || 'not ' + has.join(' ')) + ' → ' + (has.join(' ') || 'not ' + had.join(' ')));
    if (old.value !== now.value) parts.push(quoted(old.value) + ' → ' + quoted(now.value));
    if (old.quote !== now.quote) return short('~ ' + nameOfLine(old)) + ' → ' + short(selectorOf(now.item).slice(now.role.length + 1)) + (parts.length ? ': ' + parts.join(', ') : '');
    return parts.length ? short('~ ' + selectorOf(now.item) + ': ' + parts.join(', ')) : '';
  }

  // reordered says which lines stand in another order than before, of those under one line; pairs are those that were known again.
  function reordered(before, pairs) {
    const turn = new Map(before.map((line, i) => [line, i])), lists = new Map();
    for (const [line, old] of pairs) {
      if (!lists.has(line.up)) lists.set(line.up, []);
      lists.get(line.up).push([line, turn.get(old)]);
    }
    const said = [];
    for (const [up, list] of lists) {
      const old = list.map(([, was]) => was).sort((a, b) => a - b);
      const moved = list.filter(([, was], i) => was !== old[i]).map(([line]) => nameOfLine(line));
      if (!moved.length) continue;
      said.push({ text: short('~ order' + (up ? ' in ' + selectorOf(up.item) : '') + ': ' + moved.slice(0, MAX_ORDER).join(', ') + (moved.length > MAX_ORDER ? ', …' : '')), rank: 1, at: up });
    }
    return said;
  }

  // asWritten returns all that an outline says, in its order; two outlines that are alike have the same.
  const asWritten = (lines) => lines.map((line) => line.depth + ' ' + nameOfLine(line) + line.marks + ': ' + line.value).join('\n');

  function rank(line, changed) {
    if (line.role === 'timer' || (changed && CLOCK.test(line.quote))) return 3;
    if (FIRST.has(line.role) || (line.role === 'text' && line.up && FIRST.has(line.up.role))) return 0;
    return CONTROLS_BY_ROLE.has(line.role) ? 1 : 2;
  }

  function difference(before, now) {
    const said = [], known = new Map();
    const changed = (old, line) => {
      known.set(line, old);
      const text = changedLine(old, line);
      if (text) said.push({ text, rank: Math.min(rank(line, true), text.includes(' → ') && rank(line, true) < 2 ? 1 : 3), at: line });
    };
    const byElement = (line) => line.role + idOf(line.el);
    let [went, came] = pairUp(before, now, (line) => byElement(line) + (line.role === 'text' ? line.quote : ''), changed); // one has several texts
    [went, came] = pairUp(went, came, byElement, changed);
    [went, came] = pairUp(went, came, nameOfLine, changed);
    const place = (line) => (line.role === 'text' && line.up ? idOf(line.up.el) : ''); // a text of another element is another one
    const alone = (list, role) => list.filter((line) => line.role === role).length === 1;
    [went, came] = pairUp(went, came, (line) => (alone(went, line.role) && alone(came, line.role) ? line.role + place(line) : line), changed);
    for (const line of came) said.push({ text: short('+ ' + selectorOf(line.item) + line.marks + (line.value ? ': ' + line.value : '')), rank: rank(line), at: line });
    const gone = new Set(went);
    for (const line of went) if (!gone.has(line.up)) said.push({ text: short('- ' + nameOfLine(line)), rank: rank(line), at: null });
    said.push(...reordered(before, now.filter((line) => known.has(line)).map((line) => [line, known.get(line)])));
    if (!said.length && asWritten(before) !== asWritten(now)) said.push({ text: '~ lines stand in another order, or under others', rank: 2, at: null });
    return said;
  }

  function overview(now) {
    const rankOf = (line) => (FIRST.has(line.role) ? 0 : 1);
    return now.filter((line) => line.quote && (LANDMARKS.has(line.role) || line.role === 'heading'))
      .map((line) => ({ text: short(selectorOf(line.item) + line.marks), rank: rankOf(line) }));
  }

  // mark keeps the outline as it is now, for the next question about changes, and answers what is seen on the page. goesOn: no check came since the
  // act before, so that what was seen before that one stays kept.
  OPS.mark = (doc, scope, { goesOn }) => {
    aim = null;
    if (marked) marked.observer.stop();
    marked = null;
    if (!goesOn || (stood && stood.doc !== doc)) stood = null;
    if (tooLarge === doc) return {};
    const lines = linesOf(doc);
    if (state.seen > MAX_MARKED) {
      tooLarge = doc;
      return {};
    }
    marked = { doc, lines, observer: observe(doc) };
    return goesOn ? keepSeen() : rememberSeen(doc, lines.map((line) => ({ role: line.role, el: line.el, name: nameOfLine(line) })));
  };

  // changes answers how the outline differs from the one that was marked, the gravest first; in a document that came since, what it consists of. A large document is not
  // compared. Where a timer is due within so many ms, nothing is answered yet.
  OPS.changes = (doc, scope, { limit, within }) => {
    if (within && timersWithin(doc, within)) return { waits: true };
    const before = marked && marked.doc === doc ? marked : null;
    const last = marked && marked.observer.seen;
    if (marked) marked.observer.stop();
    marked = null;
    if (tooLarge === doc) return { large: true };
    const now = linesOf(doc), moment = performance.now();
    const said = before ? difference(before.lines, now) : overview(now);
    said.sort((a, b) => a.rank - b.rank);
    const changing = !!(last && before && last.times > 3 && moment - last.last < STEADY && last.last - last.first > LONG);
    return { fresh: !before, lines: said.slice(0, limit).map((one) => one.text), more: Math.max(0, said.length - limit), changing, mutated: !last || last.times > 0, timers: timersWithin(doc, 1000) };
  };
}
