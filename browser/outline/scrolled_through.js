// What scrollers hold that comes only when they are scrolled. First each is scrolled to its ends, as often as something comes there: what lists
// append then stays. Lists that render only what is in view are scrolled through after that, view by view. All of it is put back.

const BEYOND = 1e7; // CSS pixels; a scroller stops at its end
const MAX_BROUGHT = 8; // scrollers out of the window that are brought into it
const VIEW_SHARE = 0.8; // of a view that is gone on by: what is cut at the end of one is whole in the next
const HELD_BACK = 400; // ms for which a page may hold back what it does when it is scrolled
const MANY_TIMES = 4; // that something is added, before it is looked whether it comes by itself
const MAX_LOOKED = 30; // elements in a scroller that are looked at for one that has a box

let passage = null; // what is scrolled through now
const unchanged = new WeakMap(); // scroller → what it held when its ends brought nothing more
const endless = new WeakMap(); // scroller → what it held when it was given up

const fingerprint = (box) => {
  const words = textContent(box);
  let sum = 0;
  for (let i = 0; i < words.length; i++) sum = (Math.imul(sum, 31) + words.charCodeAt(i)) | 0;
  return [allIn(box, '*').length, scrollHeightOf(box), scrollWidthOf(box), words.length, sum].join(' ');
};
const isUnchanged = (box) => unchanged.has(box) && unchanged.get(box) === fingerprint(box);

// holdsBoxes reports whether anything in a scroller is laid out as a box of its own, as entries are: code and prose that are wider than their place have none.
function holdsBoxes(box) {
  const open = flatChildren(box).filter((child) => nodeType(child) === 1);
  for (let n = 0; open.length && n < MAX_LOOKED; n++) {
    const el = open.shift();
    if (!IGNORED.has(tagOf(el)) && !/^inline$|^contents$|^none$/.test(styleNow(el).display)) return true;
    for (const child of flatChildren(el)) if (nodeType(child) === 1) open.push(child);
  }
  return false;
}

// mayGoOn reports whether more may come in an element when it is scrolled to its ends.
const mayGoOn = (box) => waysOf(box).length > 0 && !unrendered(box) && (isRoot(box) || holdsBoxes(box)) && !isUnchanged(box);

// goesOnAround reports whether more may come in a scroller around an element.
function goesOnAround(el) {
  for (let box = flatParent(el); box; box = flatParent(box)) if (mayOverflow(box) && mayGoOn(box)) return true;
  return false;
}

const standsWithin = (el, around) => {
  for (let node = el; node; node = flatParent(node)) if (node === around) return true;
  return false;
};

// openPopup returns what stands open over a page, and closes where the page is scrolled; null where nothing does.
function openPopup(doc) {
  const first = (css) => [...allIn(doc, css)].find((el) => rendered(el));
  const opener = first('[aria-haspopup][aria-expanded=true], [role=combobox][aria-expanded=true]');
  return first(':modal, [aria-modal=true], [popover]:popover-open') || (opener && (idRefs(opener, 'aria-controls')[0] || opener)) || null;
}

// scrollersIn lists the scrollers of a document that hold more than is seen of them, and the frames in it that load only when they are scrolled to. Of a scope,
// these are in it or are it; with around, they are around it.
function scrollersIn(doc, scope, around) {
  const boxes = [], frames = [], open = [doc];
  const counts = (el) => !scope || (around ? standsWithin(scope, el) : standsWithin(el, scope));
  for (let n = 0; open.length; ) {
    for (const el of elementsOf(open.pop())) {
      if (++n > MAX_BLIND) return { boxes, frames };
      const shadow = shadowRootOf(el);
      if (shadow) open.push(shadow);
      if (isUnloaded(el) && counts(el) && !unrendered(el)) frames.push(el);
      if (mayOverflow(el) && waysOf(el).length && counts(el)) boxes.push(el);
    }
  }
  return { boxes, frames };
}

// extremes lists the ends of a scroller at which it does not stand.
function extremes(box) {
  const stands = (end) => waysOf(box).every((way) => Math.abs(WAYS[way].at(box)) + (end ? WAYS[way].view(box) - WAYS[way].size(box) : 0) > -2 && (end || Math.abs(WAYS[way].at(box)) < 2));
  return [true, false].filter((end) => !stands(end));
}

const keepPlace = (box) => {
  if (!passage.stood.has(box)) passage.stood.set(box, [scrollLeftOf(box), scrollTopOf(box)]);
};

const goTo = (box, left, top) => {
  keepPlace(box);
  scrollBox(box, left, top);
};

// goToEnd scrolls to an end. What stands there already is scrolled away first, so that it is told to the page.
function goToEnd(box, end) {
  const to = (last) => goTo(box, ...['x', 'y'].map((way) => (last ? (runsBack(box, way) ? -BEYOND : BEYOND) : 0)));
  if (!extremes(box).includes(end)) to(!end);
  to(end);
}

// showIn scrolls what is around an element so that it is in the middle of the window.
function showIn(el) {
  for (let box = flatParent(el); box; box = flatParent(box)) {
    const ways = waysOf(box);
    if (!ways.length) continue;
    const r = boxOf(el), by = (way) => {
      const { view, from, to } = WAYS[way], start = isRoot(box) ? 0 : boxOf(box)[from];
      return ways.includes(way) ? (r[from] + r[to] - view(box)) / 2 - start : 0;
    };
    goTo(box, scrollLeftOf(box) + by('x'), scrollTopOf(box) + by('y'));
  }
}

const isInWindow = (el) => {
  const r = boxOf(el), win = viewOf(el);
  return r.bottom > 0 && r.right > 0 && r.top < win.innerHeight && r.left < win.innerWidth;
};

const isPinned = (el, box) => {
  for (let node = el; node && node !== box; node = flatParent(node)) if (/fixed|sticky/.test(styleNow(node).position)) return true;
  return false;
};

// contentAt returns what a scroller holds: its size, and the words at one end of it. What is pinned to the window is not in it.
function contentAt(box, end) {
  const ways = waysOf(box), said = [];
  const near = (way) => {
    const { size, view } = WAYS[way], start = originOf(box, way), last = end !== runsBack(box, way);
    return last ? [start + size(box) - view(box), start + size(box)] : [start, start + view(box)];
  };
  const stretches = ways.map((way) => [WAYS[way], ...near(way)]);
  for (const el of drawnIn(box) || []) {
    const r = boxOf(el);
    if (!stretches.every(([{ from, to }, low, high]) => r[to] > low && r[from] < high) || isPinned(el, box)) continue;
    for (let child = firstChild(el); child; child = nextSibling(child)) if (nodeType(child) === 3 && /\S/.test(nodeValue(child))) said.push(tidy(nodeValue(child)));
  }
  return { height: scrollHeightOf(box), width: scrollWidthOf(box), said };
}

const hasGrown = (before, now) => now.height > before.height + 1 || now.width > before.width + 1;

// hasOther reports whether most of the words at an end are others than before.
function hasOther(before, now) {
  const known = new Set(before.said);
  return now.said.filter((words) => !known.has(words)).length > now.said.length / 2;
}

const stepTo = (box, end) => {
  const step = { box, end, before: contentAt(box, end), waited: false };
  goToEnd(box, end);
  return step;
};

// beginPassage lists what is to be scrolled, in the order in which it is: frames that are not loaded, the scrollers in the page, those of them that
// are out of the window, and the window.
function beginPassage(doc, scope, around) {
  const popup = openPopup(doc), { boxes, frames } = scrollersIn(doc, scope, around);
  passage = { doc, scope, around, stood: new Map(), batch: [], rounds: [], grown: new Set(), walked: new Map(), stuck: '', at: null };
  const going = boxes.filter((box) => mayGoOn(box) && (!popup || standsWithin(box, popup)) && !unrenderedWays(box).length);
  for (const box of going) if (endless.has(box) && endless.get(box) === fingerprint(box)) passage.stuck = nameFor(box) + ' goes on adding rows whenever it is scrolled to its end';
  if (passage.stuck) return;
  const inner = going.filter((box) => !isRoot(box)), away = inner.filter((box) => !isInWindow(box)).slice(0, MAX_BROUGHT), here = inner.filter((box) => !away.includes(box));
  for (const frame of popup ? [] : frames) passage.rounds.push(() => [bringFrame(frame)]);
  const ends = new Map(going.map((box) => [box, extremes(box)]));
  for (const end of [true, false]) passage.rounds.push(() => here.filter((box) => isConnected(box) && ends.get(box).includes(end)).map((box) => stepTo(box, end)));
  for (const box of away) passage.rounds.push(() => (isConnected(box) ? [bringBox(box)] : []), ...ends.get(box).map((end) => () => (isConnected(box) ? [stepTo(box, end)] : [])));
  for (const box of going.filter(isRoot)) for (const end of ends.get(box)) passage.rounds.push(() => [stepTo(box, end)]);
}

const bringFrame = (frame) => {
  showIn(frame);
  return { frame, waited: false };
};

const bringBox = (box) => {
  showIn(box);
  return { box, end: null, before: contentAt(box, true), waited: false };
};

// goesOn judges one step, and reports whether there is more to wait for at its place.
function goesOn(step) {
  const { box, frame, end, before } = step;
  if (!isConnected(box || frame)) {
    passage.stuck ||= 'the page has replaced ' + nameFor(box || frame) + ' while it was scrolled';
    return false;
  }
  const now = box && contentAt(box, end ?? true), grown = box ? hasGrown(before, now) : !isUnloaded(frame);
  const waits = !grown && !step.waited && (frame || timersWithin(passage.doc, HELD_BACK));
  if (waits && !(box && hasOther(before, now))) return (step.waited = true);
  if (frame) return frameCame(frame, grown);
  if (step.aside) return goesOnAside(step, grown, now);
  if (grown) return goesOnGrowing(step, now);
  if (hasOther(before, now)) passage.walked.set(box, waysOf(box));
  else unchanged.set(box, fingerprint(box));
  return false;
}

function frameCame(frame, loaded) {
  if (loaded) passage.grown.add(frame);
  else passage.stuck ||= nameFor(frame) + ' is loaded only when it is scrolled to, and has not come';
  return false;
}

// goesOnGrowing scrolls on where something was added. One that grows again and again is looked at where it stood, too.
function goesOnGrowing(step, now) {
  passage.grown.add(step.box);
  step.times = (step.times || 0) + 1;
  Object.assign(step, { before: now, waited: false, aside: step.times === MANY_TIMES ? 1 : 0 });
  if (step.aside) goTo(step.box, ...passage.stood.get(step.box));
  else if (step.end !== null) goToEnd(step.box, step.end);
  return true;
}

// goesOnAside judges a scroller that was left alone: what grows by itself, as a log does, has no end to be scrolled to.
function goesOnAside(step, grown, now) {
  if (grown && step.aside === 2) return false;
  Object.assign(step, { before: now, waited: false, aside: grown ? 2 : 0 });
  if (!grown && step.end !== null) goToEnd(step.box, step.end);
  return true;
}

// scrollFurther judges what was scrolled last, and scrolls on. Where all is done, all is put back.
function scrollFurther() {
  passage.batch = passage.batch.filter(goesOn);
  const waits = passage.batch.some((step) => step.waited);
  while (!passage.batch.length && passage.rounds.length && !passage.stuck) passage.batch = passage.rounds.shift()();
  const moved = passage.batch.length > 0;
  if (moved) return { moved, waits };
  putBack();
  return { moved, stuck: passage.stuck || undefined, grown: [...passage.grown].map(nameFor), names: unrenderedNames() };
}

// unrenderedNames names the scrollers that hold what is not rendered, and keeps them for scrollView.
function unrenderedNames() {
  const { doc, around, walked } = passage, scope = isAttached(passage.scope) ? passage.scope : null;
  if (scope && around) return [unrenderedAround(scope)].filter(Boolean);
  for (const box of scrollersIn(doc, scope, false).boxes) {
    const ways = unrenderedWays(box);
    if (ways.length) walked.set(box, ways);
  }
  return [...walked.keys()].map(nameFor);
}

const isAttached = (el) => !!el && isConnected(el);

const putBack = () => {
  for (const [box, [left, top]] of [...passage.stood].reverse()) scrollBox(box, left, top);
  passage.stood.clear();
};

// scrollEnds begins to scroll what holds more than is seen of it to its ends, and answers whether anything was scrolled.
OPS.scrollEnds = (doc, scope, { around }) => withRules(() => {
  beginPassage(doc, scope, around);
  return scrollFurther();
});

// scrollOn answers what has come since, and goes on.
OPS.scrollOn = () => withRules(scrollFurther);

// scrollGiveUp ends it before all is done: what was scrolled last goes on adding rows.
OPS.scrollGiveUp = () => withRules(() => {
  const names = passage.batch.map((step) => nameFor(step.box || step.frame));
  for (const { box } of passage.batch) if (box) endless.set(box, fingerprint(box));
  putBack();
  return { names };
});

// scrollView shows the next view of one of the scrollers that hold what is not rendered, from its beginning; over where all was seen, gone where the page has taken it away.
OPS.scrollView = (doc, scope, { piece }) => withRules(() => {
  const [box, meant] = [...passage.walked][piece] || [];
  if (!box || !isConnected(box)) return { gone: true };
  const ways = waysOf(box).filter((way) => meant.includes(way)), at = passage.at && passage.at.box === box ? passage.at : null;
  const next = (way) => at[way] + VIEW_SHARE * WAYS[way].view(box);
  const ended = (way) => !ways.includes(way) || at[way] + WAYS[way].view(box) >= WAYS[way].size(box) - 1;
  if (at && ended('y') && ended('x')) return { over: true };
  const to = !at ? { x: 0, y: 0 } : ended('y') ? { x: next('x'), y: 0 } : { x: at.x, y: next('y') };
  const sign = (way) => (runsBack(box, way) ? -1 : 1);
  goTo(box, sign('x') * to.x, sign('y') * to.y);
  passage.at = { box, x: Math.abs(scrollLeftOf(box)), y: Math.abs(scrollTopOf(box)) };
  return { top: scrollTopOf(box), left: scrollLeftOf(box) };
});

// scrollBack puts all that was scrolled back to where it stood.
OPS.scrollBack = () => {
  if (passage) putBack();
  return {};
};
