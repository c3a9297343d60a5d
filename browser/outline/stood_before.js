// What stood on a page before the newest acts on it, as a person saw it by the cheap rules. A check that holds after the act learns from it whether
// what it found stood there before. What is not kept here is not known: it is held against nobody.

const MAX_STOOD = 1500; // texts
const MAX_STOOD_LENGTH = 40000; // characters of all of them
const MAX_STOOD_LINES = 600;
const MAX_STOOD_CONTROLS = 500;

let seenNow = () => ({}); // see outline_changes.js

// standing holds what stood before, one for a page and the frames in it whose parents are in reach.
const standing = placeOfPage('assay stood', () => ({ kept: null }));

const isOutermost = () => pageWindow() === globalThis;

// forgetStood forgets what stood, unless that is of the same document and goesOn. What stood in a frame is kept by the page around it.
function forgetStood(doc, goesOn) {
  const kept = standing.kept;
  if (!kept || !isOutermost() || (goesOn && kept.doc === doc)) return;
  kept.altered.end();
  standing.kept = null;
}

const controlsIn = (roots) => roots.flatMap((root) => [...allIn(root, 'input, textarea, select')]).slice(0, MAX_STOOD_CONTROLS);

// heldAs returns what a control holds, as a text that differs where that differs.
function heldAs(el) {
  const chosen = tagOf(el) === 'select' ? [...own(el, 'options')].map((o) => (selectedOf(o) ? '1' : '0')).join('') : '';
  return own(el, 'value') + '\n' + chosen;
}

const keyOfPiece = (piece) => piece.node || (piece.field ? piece.el : null);

// whyUnseen returns why a box of an element is not seen; '' where nothing says so.
function whyUnseen(el, box, eyes) {
  const doc = ownerDocument(el);
  if (!eyes.has(doc)) eyes.set(doc, new sight(doc, styleOf));
  return unrendered(el) || eyes.get(doc).ofText(el, box, true);
}

function boxOfPiece(piece) {
  if (!piece.node) return boxOf(piece.el);
  const range = newRange(ownerDocument(piece.node));
  range.selectNodeContents(piece.node);
  return range.getBoundingClientRect();
}

const quietFor = () => (recorder ? recorder.unchanged() : 0);

// keepSeen keeps what was seen before the first of several acts, of which this is not the first.
function keepSeen() {
  return { kept: true, ago: quietFor() };
}

// takeSeen takes what is seen of a document now: what is kept of it, and as an answer its texts, the lines of an outline that are seen, and its title.
function takeSeen(doc, lines) {
  return withRules(() => {
    const kept = { doc, at: sinceEpoch(performance.now()), words: new WeakMap(), elements: new WeakSet(), values: new WeakMap() }, eyes = new Map(), texts = [];
    const root = bodyOf(doc) || rootElement(doc);
    let length = 0, gap = BREAK;
    for (const piece of root ? piecesOf(root, false, MAX_STOOD) : []) {
      if (length > MAX_STOOD_LENGTH) break;
      if (whyUnseen(piece.el, boxOfPiece(piece), eyes)) {
        gap = BREAK;
        continue;
      }
      length += piece.text.length;
      texts.push({ t: piece.text, s: piece.shown === piece.text ? undefined : piece.shown, g: Math.max(gap, piece.gap) });
      gap = NO_BREAK;
      if (keyOfPiece(piece)) kept.words.set(keyOfPiece(piece), piece.text);
      for (let el = piece.el; el && !kept.elements.has(el); el = flatParent(el)) kept.elements.add(el);
    }
    const seen = lines.filter((line) => line.role !== 'text').slice(0, MAX_STOOD_LINES).filter((line) => kept.elements.has(line.el) || !whyUnseen(line.el, boxOf(line.el), eyes));
    for (const line of seen) kept.elements.add(line.el);
    return { kept, answer: { texts, lines: seen.map((line) => line.name), title: documentTitle(doc), ago: quietFor() } };
  });
}

const sinceEpoch = (moment) => performance.timeOrigin + moment; // frames have clocks of their own

// rememberSeen keeps what is seen of a document now, and answers it.
function rememberSeen(doc, lines) {
  if (recorder) recorder.catchUp(), (recorder.taken = []);
  const { kept, answer } = takeSeen(doc, lines);
  if (!isOutermost()) return answer;
  const roots = rootsWithin(doc);
  for (const el of controlsIn(roots)) kept.values.set(el, heldAs(el));
  kept.altered = new newAlterations(roots);
  standing.kept = kept;
  return answer;
}

// stoodPiece reports whether a text stands where it stood before the newest acts, with the same words.
const stoodPiece = (piece) => !!standing.kept && !!keyOfPiece(piece) && standing.kept.words.get(keyOfPiece(piece)) === piece.text;

// stoodElements counts the elements of which something was seen before the newest acts.
const stoodElements = (elements) => (standing.kept ? elements.filter((el) => standing.kept.elements.has(el)).length : 0);

const MAX_FOUND = 200; // elements that are compared with what they were

// foundBefore counts the elements that the same selector found before the newest acts, of which something was seen, and those that were there at all.
function foundBefore(elements, css) {
  const kept = standing.kept;
  if (!kept) return {};
  kept.altered.catchUp();
  const there = elements.slice(0, MAX_FOUND).filter((el) => kept.altered.found(el, css));
  return { there: there.length || undefined, same: there.filter((el) => kept.elements.has(el)).length || undefined };
}

// stoodSo reports whether an element was found by the same selector before the newest acts, and what is asked of it was as it is: "stateKept" of a box
// or a toggle, "classesKept", or "useKept" of what a person saw then.
function stoodSo(el, css, asked) {
  const kept = standing.kept;
  if (!kept || (asked === 'useKept' && !kept.elements.has(el))) return undefined;
  kept.altered.catchUp();
  return (kept.altered.found(el, css) && kept.altered[asked](el)) || undefined;
}

// stoodAs reports whether an element holds or says what it did before the newest acts.
function stoodAs(el) {
  const kept = standing.kept;
  if (!kept) return false;
  if (kept.values.has(el)) return kept.values.get(el) === heldAs(el);
  const pieces = piecesOf(el, false);
  return pieces.length > 0 && pieces.every(stoodPiece);
}

// leftSince reports whether elements may have gone since the newest act.
function leftSince() {
  if (recorder) recorder.catchUp();
  return !!standing.kept && (!recorder || sinceEpoch(recorder.took) > standing.kept.at);
}

// wasTaken reports whether something that css selects was seen before the newest acts, and was taken away since.
function wasTaken(css) {
  const kept = standing.kept;
  if (!kept || !recorder) return false;
  recorder.catchUp();
  try {
    return recorder.taken.some((root) => !isConnected(root) && [root, ...allIn(root, css)].some((el) => kept.elements.has(el) && matches(el, css)));
  } catch {
    return false; // an extension of Playwright's
  }
}
