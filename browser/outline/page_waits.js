// What a document still waits for: its parser, or a timer that a script of the page has set (see ../page_timers.js).

const loadState = getter(Document.prototype, 'readyState');

// askedOf returns what the page's own world tells of a window, as figures: in how many ms each timer that is due within so many has run, 0 for none;
// whether something may come that has no moment; how many ms ago a style was changed by a script; then, of each timer that comes once, for how many ms it, or the one that sets
// it, has been, in how many it is due, and how many are between. null: it tells nothing, as where the page has taken the listener away with its
// document, and so anything may come. The page can lie about all of it.
function askedOf(win, within) {
  if (win.matchMedia(SCRIPTLESS).matches) return [0, 0, Infinity];
  let told = null;
  const hear = (event) => { told = String(event.detail).trim().split(' ').map(Number); };
  EventTarget.prototype.addEventListener.call(win, 'assay:told', hear, true);
  EventTarget.prototype.dispatchEvent.call(win, new CustomEvent('assay:due', { detail: within }));
  EventTarget.prototype.removeEventListener.call(win, 'assay:told', hear, true);
  return told && told.length >= 3 && !told.some(Number.isNaN) ? told : null;
}

// timersDone returns in how many ms each timer that is due within so many has run; 0: there is none.
function timersDone(doc, ms) {
  const told = askedOf(windowOf(doc) || window, ms);
  return told ? Math.max(0, Math.min(told[0], ms)) : ms;
}

// timersWithin reports whether a timer is due within so many ms.
const timersWithin = (doc, ms) => timersDone(doc, ms) > 0;

// holdsBack reports whether a timer still waits that was set between two moments, as pages set them that act once they have been scrolled.
function holdsBack(doc, from, to) {
  const now = performance.now(), ask = new CustomEvent('assay:held', { cancelable: true, detail: now - from + ' ' + (now - to) });
  return !EventTarget.prototype.dispatchEvent.call(windowOf(doc) || window, ask);
}

// scriptless answers whether the scripts of the document are blocked.
OPS.scriptless = () => ({ scriptless: !runsCallbacks });

// waits answers whether the document is loading, or has set a timer that is due within so many ms.
OPS.waits = (doc, scope, { within }) => ({ loading: loadState(doc) !== 'complete', timers: timersWithin(doc, within) });

const MAX_TIMED_FRAMES = 20;

// dueIn lists the timers that a window's scripts have set and that have not run.
function dueIn(win) {
  const out = [], told = askedOf(win, 0) || [];
  for (let i = 3; i + 2 < told.length; i += 3) out.push({ age: told[i], left: told[i + 1], after: told[i + 2] });
  return out;
}

// delayedIn lists the animations of a document that have not begun yet, in the same way.
function delayedIn(doc) {
  const out = [];
  for (const animation of animationsOf(doc)) {
    const timing = animation.effect && animation.effect.getComputedTiming(), at = animation.currentTime;
    if (animation.playState !== 'running' || !timing || typeof at !== 'number' || !(at < timing.delay) || !Number.isFinite(timing.endTime)) continue;
    out.push({ age: at, left: timing.endTime - at, after: timing.endTime });
  }
  return out;
}

// setTimers lists what a document, and those in it, have set to come once.
function setTimers(doc) {
  const out = [...dueIn(windowOf(doc) || window), ...delayedIn(doc)];
  for (const frame of [...allIn(doc, 'iframe')].slice(0, MAX_TIMED_FRAMES)) {
    const inner = innerDocument(frame);
    if (inner && windowOf(inner)) out.push(...dueIn(windowOf(inner)), ...delayedIn(inner));
  }
  return { open: performance.now(), timers: out.slice(0, 50) };
}

// due answers that, since when the document is there, and when something of ours ran first in it.
OPS.due = (doc) => ({ ...setTimers(doc), from: globalThis.assayObserved.from });
