// What a document still waits for: its parser, or a timer that a script of the page has set (see ../page_timers.js).

const loadState = getter(Document.prototype, 'readyState');

// timersWithin reports whether a timer is due within so many ms. The page's own world answers, so a page can lie about it.
function timersWithin(doc, ms) {
  const ask = new CustomEvent('assay:timers', { cancelable: true, detail: ms });
  return !EventTarget.prototype.dispatchEvent.call(windowOf(doc) || window, ask);
}

// holdsBack reports whether a timer still waits that was set between two moments, as pages set them that act once they have been scrolled.
function holdsBack(doc, from, to) {
  const now = performance.now(), ask = new CustomEvent('assay:held', { cancelable: true, detail: now - from + ' ' + (now - to) });
  return !EventTarget.prototype.dispatchEvent.call(windowOf(doc) || window, ask);
}

// turnsAsked reports whether a script of the page has asked for its next turn: an interval, a frame, a timer that is due at once or sets itself again.
function turnsAsked(doc) {
  return !EventTarget.prototype.dispatchEvent.call(windowOf(doc) || window, new CustomEvent('assay:goes', { cancelable: true }));
}

// waits answers whether the document is loading, or has set a timer that is due within so many ms.
OPS.waits = (doc, scope, { within }) => ({ loading: loadState(doc) !== 'complete', timers: timersWithin(doc, within) });

const MAX_TIMED_FRAMES = 20;

// dueIn lists the timers that a window's scripts have set and that have not run: for how many ms they, or those that set them, have been, in how many
// they are due, and how many are between.
function dueIn(win) {
  let told = '';
  const hear = (event) => { told = String(event.detail); };
  EventTarget.prototype.addEventListener.call(win, 'assay:told', hear, true);
  EventTarget.prototype.dispatchEvent.call(win, new CustomEvent('assay:due'));
  EventTarget.prototype.removeEventListener.call(win, 'assay:told', hear, true);
  const out = [], figures = told.split(' ').map(Number);
  for (let i = 0; i + 2 < figures.length; i += 3) out.push({ age: figures[i], left: figures[i + 1], after: figures[i + 2] });
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

// due answers that, since when the document is there, and when something of ours ran first in it; -1: only now.
OPS.due = (doc) => ({ ...setTimers(doc), from: globalThis.assayObserved ? globalThis.assayObserved.from : -1 });
