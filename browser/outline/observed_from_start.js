// Notes when a document was changed last, from before its own scripts until the selector engine comes, which goes on: see shown_words.js. It runs in
// the driver's own world, as the engine does: the page's scripts learn nothing of it. Where no engine comes it ends by itself.
(() => {
  const LASTS = 10000; // ms
  const now = performance.now.bind(performance);
  const begun = { from: now(), last: now(), over: false };
  const observer = new MutationObserver(() => { begun.last = now(); });
  begun.end = () => {
    if (observer.takeRecords().length) begun.last = now();
    observer.disconnect();
    begun.over = true;
  };
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  setTimeout(begun.end, LASTS);
  globalThis.assayObserved = begun;
})();
