// What a page shows only where it is scrolled to. A picture of the whole page is taken from its beginning: sections that come in and go out again, rows
// that are rendered in view alone, pictures that are unloaded, are not in it. The page is gone through, then what came and may go is looked at in its
// place, and once more when the picture is taken.

const MAX_STEPS = 40; // windows
const MAX_NOTED = 3000; // texts and pictures
const MAX_LOST = 20; // that are told
const MAX_CHANGED = 2000; // elements that change while the page is gone through
// Visits are bounded in frames: a busy machine paints fewer of them in a second, and the page is as far on in each.
const VISIT_FRAMES = 180; // for all visits
const PLACE_FRAMES = 60; // for one
const NO_FRAME = 2000; // ms after which a page paints no frame, as one that is hidden
const STAND_FRAMES = 4; // in which nothing of what is waited for changes: what is shown by a script comes frame by frame

const walked = new WeakMap(); // documents to what they were like when they were last scrolled through, and nothing of them came and went
const neverCame = new WeakSet(); // what was looked at in its place, and is not seen there either

// frameOf waits until the page has painted a frame, and its observers have been told of where it is scrolled to, which they are after the frame's callbacks.
const frameOf = (win) => runsCallbacks ? new Promise((done) => {
  const { port1, port2 } = new MessageChannel(), late = win.setTimeout(done, win.document.hidden ? 100 : NO_FRAME);
  port1.onmessage = () => {
    win.clearTimeout(late);
    port1.close();
    done();
  };
  win.requestAnimationFrame(() => port2.postMessage(0));
}) : Promise.resolve();

const scrollPage = (win, left, top) => win.scrollTo({ left, top, behavior: 'instant' });

// walk scrolls through the page, or through one element of it, so that what waits to be seen comes in, and visits what may go out again. A page that it
// knows and that is no other since is left alone.
async function walk(doc, win, mine, scope) {
  const root = scrollerOf(doc) || rootElement(doc), view = win.innerHeight;
  const like = () => [win.location.href, root.scrollHeight, allIn(doc, '*').length].join(' ');
  if (root.scrollHeight <= view || (scope ? boxOf(scope).bottom <= view : walked.get(doc) === like())) return;
  const changes = changesOf(doc), { top, bottom } = scope ? boxOf(scope) : { top: 0, bottom: Infinity };
  paintSkipped(doc, mine);
  await frameOf(win);
  for (let step = 1; step <= MAX_STEPS && pose === mine && top - view / 4 + view * (step - 1) < Math.min(bottom, root.scrollHeight - view); step++) {
    scrollPage(win, 0, Math.max(0, scope ? top - view / 4 + view * (step - 1) : view * step));
    await frameOf(win);
  }
  if (pose === mine) await backToTop(doc, win);
  if (pose !== mine) return;
  paintSkipped(doc, mine);
  const places = [...comingPlaces(doc, scope), ...changes.places(scope)];
  if (places.length) await visitPlaces(doc, win, mine, places);
  if (!mine.notes.size && !scope) walked.set(doc, like());
}

// backToTop goes back to the beginning. What goes out there by a style has gone in the third frame.
async function backToTop(doc, win) {
  scrollPage(win, 0, 0);
  for (let frames = 0; frames < 3; frames++) {
    await frameOf(win);
    for (const root of rootsOf(doc)) halt(root);
  }
}

// paintSkipped has the browser paint what it leaves out while it is far from the window, as a person who scrolls there sees it. What a page hides so is
// left as it is.
function paintSkipped(doc, mine) {
  for (const root of rootsOf(doc)) {
    const skipped = new Set();
    for (const el of elementsOf(root)) {
      if (!rendered(el) || Element.prototype.checkVisibility.call(el, { contentVisibilityAuto: true })) continue;
      for (let up = flatParent(el); up; up = flatParent(up)) if (styleOf(up).contentVisibility === 'auto') skipped.add(up);
    }
    const lines = [...skipped].filter((el) => treeRoot(el) === root).map((el) => {
      const kinds = new Set(['layout', 'style', 'paint', ...styleOf(el).contain.split(' ')]);
      return pathWithin(el) + ' { content-visibility: visible !important; contain: ' + [...kinds].filter((kind) => /^(layout|style|paint)$/.test(kind)).join(' ') + ' !important; }';
    });
    if (lines.length) mine.undo.push(addSheet(root, lines.join('\n')));
  }
}

// unpaintedNow returns why a text is not in a picture of all of the page; '' where it is, as far as its styles and its place tell. Whether it has the colour of
// its ground can't be told out of the window.
function unpaintedNow(el, box, eyes) {
  const why = unrendered(el) || (skipsContent(el) ? 'not rendered' : '') || eyes.ofText(el, box, false);
  return why === 'of the colour of its ground' ? '' : why;
}

// isPictured reports whether a picture or a drawing shows anything. What can't be read shows something.
function isPictured(el) {
  const tag = tagOf(el);
  if (tag === 'img') return naturalWidth(el) > 2;
  if (tag !== 'canvas' || !isHTML(el)) return true;
  try {
    const probe = new OffscreenCanvas(PROBE, PROBE).getContext('2d', { willReadFrequently: true });
    probe.drawImage(el, 0, 0, PROBE, PROBE);
    const dots = new Uint32Array(probe.getImageData(0, 0, PROBE, PROBE).data.buffer);
    return dots.some((dot) => dot !== dots[0]);
  } catch {
    return true;
  }
}

const PAINTED_PICTURES = 'img, canvas, svg, video';
const picturesIn = (scope) => [...(nodeType(scope) === 1 && matches(scope, PAINTED_PICTURES) ? [scope] : []), ...allIn(scope, PAINTED_PICTURES)].filter((el) => !isSVG(parentOf(el) || el) || isHTML(el));
const isPainted = (el) => !unrendered(el) && boxOf(el).width >= 2 && boxOf(el).height >= 2 && isPictured(el);

// comingPlaces lists where a page may bring in what it does not show at its beginning.
const comingPlaces = (doc, scope) => withRules(() => {
  const eyes = new sight(doc, styleOf), out = [], { scrollY } = windowOf(doc), within = scope || bodyOf(doc) || rootElement(doc);
  const add = (el) => {
    if (neverCame.has(el) || out.length >= MAX_NOTED || out.some((one) => one.el === el)) return;
    const place = comesLater(el);
    if (place) out.push({ el, top: place.rect().top + scrollY, bottom: place.rect().bottom + scrollY });
  };
  for (const piece of piecesOf(within, true)) if (!isForReaders(piece.el) && unpaintedNow(piece.el, boxOfPiece(piece), eyes)) add(piece.el);
  for (const el of picturesIn(within)) {
    const r = boxOf(el);
    if (unrendered(el) || r.width < 2 || r.height < 2) add(el);
    else if (!isPictured(el) && !neverCame.has(el) && r.bottom > windowOf(doc).innerHeight) out.push({ el, top: r.top + scrollY, bottom: r.bottom + scrollY });
  }
  return out;
});

// isForReaders reports whether an element is kept for readers of the screen alone, as authors do it: in a dot that stands nowhere.
function isForReaders(el) {
  for (let node = el, n = 0; node && n < 4; node = flatParent(node), n++) {
    const r = boxOf(node);
    if (r.width > 0 && r.width <= 2 && r.height > 0 && r.height <= 2 && styleNow(node).position === 'absolute') return true;
  }
  return false;
}

// changesOf observes what a page takes away while it is scrolled, and what it changes and changes back.
function changesOf(doc) {
  const times = new Map(), count = (el, by) => {
    if (nodeType(el) === 1 && el !== bodyOf(doc) && el !== rootElement(doc) && (times.size < MAX_CHANGED || times.has(el))) times.set(el, (times.get(el) || 0) + by);
  };
  const holds = (node) => /\S/.test(textContent(node) || '') || (nodeType(node) === 1 && (matches(node, PAINTED_PICTURES) || allIn(node, PAINTED_PICTURES).length > 0));
  const read = (records) => {
    for (const { type, target, removedNodes, oldValue } of records) {
      if (type === 'attributes') count(target, 1);
      else if (type === 'characterData' && /\S/.test(oldValue || '') && !/\S/.test(nodeValue(target)) && parentNode(target)) count(parentNode(target), 2);
      else if ([...removedNodes].some(holds)) count(placeKept(target), 2);
    }
  };
  const placeKept = (el) => (nodeType(el) !== 1 || boxOf(el).height >= KEPT_HEIGHT || !flatParent(el) ? el : placeKept(flatParent(el)));
  const observer = new MutationObserver(read);
  observer.observe(doc, { subtree: true, childList: true, attributes: true, characterData: true, characterDataOldValue: true });
  return {
    places(scope) {
      read(observer.takeRecords());
      observer.disconnect();
      const { scrollY, innerHeight } = windowOf(doc), all = [...times].filter(([el, n]) => n > 1 && isConnected(el) && (!scope || standsWithin(el, scope))).map(([el]) => boxOf(el));
      return all.filter((r) => r.height > 0 && r.bottom > innerHeight).map((r) => ({ el: null, top: Math.max(r.top, LOW * innerHeight) + scrollY, bottom: r.bottom + scrollY }));
    },
  };
}

// positionsFor lists where to scroll to, so that each place stands in the middle of the window once; a place that is higher than that in parts.
function positionsFor(places, view, end) {
  const out = [];
  for (const { top, bottom } of [...places].sort((a, b) => a.top - b.top)) {
    for (let from = top; from === top || from < bottom - view / 4; from += view / 2) {
      if (out.some((at) => from >= at + 0.15 * view && Math.min(bottom, from + view / 2) <= at + 0.8 * view)) continue;
      const at = Math.round(Math.max(1, Math.min(from - view / 4, end)));
      if (!out.includes(at) && out.length < MAX_STEPS) out.push(at);
    }
  }
  return out;
}

// visitPlaces looks at each place where it is scrolled to, once what comes there has come, and notes what is seen.
async function visitPlaces(doc, win, mine, places) {
  const root = scrollerOf(doc) || rootElement(doc), notes = new Map(), came = new Set();
  let frames = VISIT_FRAMES;
  for (const at of positionsFor(places, win.innerHeight, root.scrollHeight - win.innerHeight)) {
    if (pose !== mine || frames <= 0) break;
    scrollPage(win, 0, at);
    const here = places.filter((place) => place.el && place.bottom > at && place.top < at + win.innerHeight).map((place) => place.el);
    frames -= await arriveAt(doc, win, mine, here);
    for (const el of here) (isSeenNow(doc, el) ? came : neverCame).add(el);
    noteSeen(doc, win, at, notes);
  }
  if (pose !== mine) return;
  await backToTop(doc, win);
  for (const el of came) neverCame.delete(el);
  if (came.size || places.some((place) => !place.el)) mine.notes = notes;
}

// arriveAt waits until all that may come has come, or nothing of it changes any more and no timer waits that was set when the page was scrolled. It returns
// how many frames that took.
async function arriveAt(doc, win, mine, here) {
  const begun = performance.now();
  let like = '', still = 0, scrolled = 0, frames = 0;
  for (; pose === mine && frames < PLACE_FRAMES; frames++) {
    await frameOf(win);
    for (const root of rootsOf(doc)) halt(root);
    const now = withRules(() => here.map((el) => (isConnected(el) ? likenessOf(el) : '')).join('\n'));
    still = now === like ? still + 1 : 0;
    like = now;
    if (frames < STAND_FRAMES) scrolled = performance.now();
    else if (here.every((el) => isSeenNow(doc, el))) break;
    else if (holdsBack(doc, begun, scrolled)) still = 0;
    else if (still >= STAND_FRAMES) break;
  }
  return frames + 1;
}

const isSeenNow = (doc, el) => withRules(() => {
  const eyes = new sight(doc, styleOf);
  if (!isConnected(el)) return false;
  return matches(el, PAINTED_PICTURES) ? isPainted(el) : piecesOf(el, false, MAX_PARTS).some((piece) => !unpaintedNow(piece.el, boxOfPiece(piece), eyes));
});

const LIVE = '[role=status], [role=alert], [role=progressbar], [role=log], [role=timer], [role=marquee], [aria-live=polite], [aria-live=assertive], [aria-busy=true]';
const isLive = (el) => !!Element.prototype.closest.call(el, LIVE);

// noteSeen notes the texts and the pictures that are seen in the window now.
const noteSeen = (doc, win, at, notes) => withRules(() => {
  for (const { key, el, words, box } of seenIn(doc)) {
    if (box.bottom <= 0 || box.top >= win.innerHeight || box.right <= 0 || box.left >= win.innerWidth) continue;
    if (notes.has(key)) notes.get(key).at.add(at);
    else if (notes.size < MAX_NOTED && !isLive(el)) notes.set(key, { key, el, words, at: new Set([at]), pinned: isPinned(el, null), place: onPage(box, win) });
  }
});

const onPage = (r, win) => ({ left: r.left + win.scrollX, top: r.top + win.scrollY, right: r.right + win.scrollX, bottom: r.bottom + win.scrollY });

// seenIn lists the texts and pictures that are seen of a document, wherever it is scrolled to.
function seenIn(doc) {
  const eyes = new sight(doc, styleOf), root = bodyOf(doc) || rootElement(doc), out = [];
  for (const piece of piecesOf(root, false, MAX_NOTED)) {
    const box = boxOfPiece(piece);
    if (!unpaintedNow(piece.el, box, eyes)) out.push({ key: piece.node || piece.el, el: piece.el, words: tidy(piece.shown), box });
  }
  for (const el of picturesIn(root)) if (isPainted(el)) out.push({ key: el, el, words: '', box: boxOf(el) });
  return out;
}

// lostOf lists what was seen in its place and is not seen anywhere now, with no other thing in its stead. What is pinned to the window comes and goes with it.
const lostOf = (doc, mine) => withRules(() => {
  if (!mine.notes.size) return [];
  const win = windowOf(doc), now = seenIn(doc), keys = new Set(now.map((one) => one.key)), words = new Set(now.map((one) => one.words).filter(Boolean));
  const cover = now.filter((one) => !isPinned(one.el, null)).map((one) => ({ place: onPage(one.box, win), note: mine.notes.get(one.key) }));
  const goes = (note) => !note.pinned || (isConnected(note.el) && !isHeld(note.el));
  const gone = [...mine.notes.values()].filter((note) => !keys.has(note.key) && !words.has(note.words) && goes(note));
  const replaced = (note) => cover.some((other) => !empty(within(other.place, note.place)) && !(other.note && [...other.note.at].some((at) => note.at.has(at))));
  return gone.filter((note) => !replaced(note)).slice(0, MAX_LOST).map((note) => lost(note, win));
});

// isHeld reports whether something stands in the window wherever the page is scrolled to: what sticks only further down does not.
function isHeld(el) {
  for (let node = el; node; node = flatParent(node)) {
    const { position } = styleNow(node);
    if (position === 'fixed' || (position === 'sticky' && boxOf(node).top < viewOf(node).innerHeight)) return true;
  }
  return false;
}

// lost tells what is missing in a picture, where its place is now, and what masks that.
function lost({ el, words, place }, win) {
  let kept = isConnected(el) ? el : null;
  const keeps = (box) => box.height >= KEPT_HEIGHT && box.width >= KEPT_HEIGHT && !empty(within(onPage(box, win), place));
  while (kept && !keeps(boxOf(kept))) kept = flatParent(kept);
  const at = kept && kept !== bodyOf(ownerDocument(kept)) && kept !== rootElement(ownerDocument(kept)) ? onPage(boxOf(kept), win) : place;
  return { words: words || attr(el, 'alt') || '', what: tagOf(el), path: at === place ? '' : cssPath(kept), x: at.left, y: at.top, w: at.right - at.left, h: at.bottom - at.top };
}
