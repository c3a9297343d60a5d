// What a document still waits for: its parser, or a timer that a script of the page has set (see ../page_timers.js).

const loadState = getter(Document.prototype, 'readyState');

// timersWithin reports whether a timer is due within so many ms. The page's own world answers, so a page can lie about it.
function timersWithin(doc, ms) {
  const ask = new CustomEvent('assay:timers', { cancelable: true, detail: ms });
  return !EventTarget.prototype.dispatchEvent.call(windowOf(doc) || window, ask);
}

// turnsAsked reports whether a script of the page has asked for its next turn: an interval, a frame, a timer that is due at once or sets itself again.
function turnsAsked(doc) {
  return !EventTarget.prototype.dispatchEvent.call(windowOf(doc) || window, new CustomEvent('assay:goes', { cancelable: true }));
}

// waits answers whether the document is loading, or has set a timer that is due within so many ms.
OPS.waits = (doc, scope, { within }) => ({ loading: loadState(doc) !== 'complete', timers: timersWithin(doc, within) });
