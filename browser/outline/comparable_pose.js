// The pose in which a page is comparable: its animations at their end or, when they have none, at their beginning; no caret; what comes
// in when it is scrolled to has come in. What holds the pose is known here alone. The page could see the style sheet while it is held,
// and hears of what it would hear anyway: animations that end, and scrolling.

let pose = null;
const decoded = new WeakMap(); // pictures to the source that was decoded for painting, and whether that is done

const complete = getter(HTMLImageElement.prototype, 'complete');
const currentSource = getter(HTMLImageElement.prototype, 'currentSrc');
const fontsOf = getter(Document.prototype, 'fonts');
const scrollerOf = getter(Document.prototype, 'scrollingElement');
const scrollLeftOf = getter(Element.prototype, 'scrollLeft');
const scrollTopOf = getter(Element.prototype, 'scrollTop');
const adopted = (root) => Object.getOwnPropertyDescriptor(nodeType(root) === 9 ? Document.prototype : ShadowRoot.prototype, 'adoptedStyleSheets');
const animationsOf = (root) => (nodeType(root) === 9 ? Document : ShadowRoot).prototype.getAnimations.call(root);

// rootsOf lists the document and the open shadow roots in it.
function rootsOf(root, out = []) {
  out.push(root);
  for (const el of elementsOf(root)) {
    const shadow = shadowRootOf(el);
    if (shadow) rootsOf(shadow, out);
  }
  return out;
}

// hold poses a root, once. Animations that begin later are halted as soon as they are announced.
function hold(root, win) {
  if (pose.roots.has(root)) return;
  pose.roots.add(root);
  const sheet = new win.CSSStyleSheet(), list = adopted(root);
  sheet.replaceSync(':focus { caret-color: transparent !important; }');
  list.set.call(root, [...list.get.call(root), sheet]);
  const again = () => halt(root);
  EventTarget.prototype.addEventListener.call(root, 'transitionrun', again);
  EventTarget.prototype.addEventListener.call(root, 'animationstart', again);
  pose.undo.push(() => {
    list.set.call(root, [...list.get.call(root)].filter((s) => s !== sheet));
    EventTarget.prototype.removeEventListener.call(root, 'transitionrun', again);
    EventTarget.prototype.removeEventListener.call(root, 'animationstart', again);
  });
}

// halt brings the animations of a root to their end. One without an end stands at its beginning, by a speed of 0: paused, it would no
// longer heed its style afterwards. What stands still, or moves with the scroll position, is as it should be.
function halt(root) {
  if (!pose) return;
  for (const animation of animationsOf(root)) {
    if (pose.halted.has(animation) || !animation.effect || !(animation.timeline instanceof DocumentTimeline)) continue;
    if (animation.playState === 'paused' || animation.playbackRate === 0) continue;
    if (Number.isFinite(animation.effect.getComputedTiming().endTime)) {
      animation.finish();
      continue;
    }
    const { currentTime, playbackRate } = animation;
    pose.halted.add(animation);
    animation.playbackRate = 0;
    animation.currentTime = 0;
    pose.undo.push(() => {
      animation.playbackRate = playbackRate;
      if (animation.currentTime !== null) animation.currentTime = currentTime;
    });
  }
  haltVectors(root);
}

// haltVectors stops drawings that move by elements of their own, without end.
function haltVectors(root) {
  for (const endless of allIn(root, 'svg [repeatCount=indefinite], svg [repeatDur=indefinite]')) {
    let svg = endless.ownerSVGElement;
    while (svg && svg.ownerSVGElement) svg = svg.ownerSVGElement;
    if (!svg || pose.halted.has(svg) || svg.animationsPaused()) continue;
    const time = svg.getCurrentTime();
    pose.halted.add(svg);
    svg.pauseAnimations();
    svg.setCurrentTime(0);
    pose.undo.push(() => {
      svg.setCurrentTime(time);
      svg.unpauseAnimations();
    });
  }
}

// awaitedPictures lists what is not painted yet of the pictures that have a place in the page. One that waits to be seen, and was not, will
// not come.
function awaitedPictures(roots) {
  const out = [];
  for (const root of roots) {
    for (const img of allIn(root, 'img')) {
      if (!(img instanceof HTMLImageElement)) continue; // of another namespace
      const source = currentSource(img) || attr(img, 'src') || '';
      if (!source || !rendered(img)) continue;
      const known = decoded.get(img);
      if (!complete(img)) {
        if ((attr(img, 'loading') || '').toLowerCase() !== 'lazy') out.push('image ' + source.slice(0, 200));
      } else if (!known || known.source !== source) {
        const state = { source, done: false };
        decoded.set(img, state);
        HTMLImageElement.prototype.decode.call(img).catch(() => {}).then(() => (state.done = true));
        out.push('image ' + source.slice(0, 200));
      } else if (!known.done) {
        out.push('image ' + source.slice(0, 200));
      }
    }
  }
  return out;
}

// goThrough begins a walk. One that fails fails the pose: what it would have found is not known.
function goThrough(doc, win, mine, scope) {
  mine.walking = true;
  walk(doc, win, mine, scope).catch((failure) => (mine.failure = failure)).finally(() => (mine.walking = false));
}

// pose takes the pose, or holds it on, and lists what is still awaited, and what was seen in its place and would be missing in the picture. top: at the beginning of the page. walk: scroll through it first.
// taken: so many pictures that reach beyond the viewport were taken; after another one two frames are awaited, because Chromium often lays
// the page out in a window of one pixel, for a moment, when the next one follows at once.
OPS.pose = (doc, scope, { top, walk: through, taken }) => {
  const win = windowOf(doc);
  if (!pose) {
    const { scrollX, scrollY } = win;
    pose = { roots: new Set(), halted: new Set(), undo: [() => scrollPage(win, scrollX, scrollY)], document: String(Math.random()), walking: false, through: false, painting: false, taken: 0, notes: new Map() };
  }
  const roots = rootsOf(doc);
  for (const root of roots) {
    hold(root, win);
    halt(root);
  }
  if (through && !pose.through) {
    const mine = pose;
    mine.through = true;
    goThrough(doc, win, mine, null);
  }
  if (taken && taken !== pose.taken) {
    const mine = pose;
    mine.taken = taken;
    mine.painting = true;
    frameOf(win).then(() => frameOf(win)).finally(() => (mine.painting = false));
  }
  if (top && !pose.walking && (win.scrollX || win.scrollY)) scrollPage(win, 0, 0);
  if (pose.failure) throw pose.failure;
  const waits = awaitedPictures(roots);
  if (fontsOf(doc).status === 'loading') waits.push('fonts');
  if (pose.walking) waits.push('what comes in when it is scrolled to');
  if (pose.painting) waits.push('its next frame');
  return { waits, document: pose.document, lost: waits.length ? [] : lostOf(doc, pose) };
};

// posed answers which document holds the pose: another one after the page was replaced.
OPS.posed = () => ({ document: pose ? pose.document : '' });

// bring scrolls one element into view, within what it scrolls in; the pose remembers where that was. Then the page is scrolled through what of it is out of
// the window.
OPS.bring = (doc, scope) => {
  for (let el = flatParent(scope); pose && el; el = flatParent(el)) {
    const left = scrollLeftOf(el), top = scrollTopOf(el);
    pose.undo.push(() => Element.prototype.scrollTo.call(el, { left, top, behavior: 'instant' }));
  }
  Element.prototype.scrollIntoView.call(scope, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const mine = pose, win = windowOf(doc);
  if (mine && win === win.top) {
    scrollPage(win, 0, 0);
    goThrough(doc, win, mine, scope);
  }
  return {};
};

// unpose undoes the pose, newest first. What is gone meanwhile needs no undoing.
OPS.unpose = () => {
  const held = pose;
  pose = null;
  for (const undo of held ? held.undo.reverse() : []) {
    try {
      undo();
    } catch {}
  }
  return {};
};
