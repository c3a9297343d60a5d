// Notes when what a document shows was changed last, from before its own scripts: what comes with an event, and, until the selector engine comes and
// goes on with these (see shown_words.js), its mutations. It runs in the driver's own world, as the engine does: the page's scripts learn nothing of it.
// Where no engine comes the mutations are not noted for long.
(() => {
  if (globalThis.assayObserved || typeof document === 'undefined') return;
  const LASTS = 10000; // ms
  const now = performance.now.bind(performance);
  const begun = { from: now(), last: now(), over: false, oursUntil: -Infinity };
  const stir = () => { begun.last = now(); };
  const observer = new MutationObserver(stir);
  begun.end = () => {
    if (observer.takeRecords().length) stir();
    observer.disconnect();
    begun.over = true;
  };
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  setTimeout(begun.end, LASTS);
  const hear = (target, types) => types.split(' ').forEach((type) => target.addEventListener(type, stir, { capture: true, passive: true }));
  hear(document, 'load error input change toggle beforetoggle focusin focusout fullscreenchange animationstart animationend animationcancel transitionrun transitionend transitioncancel');
  document.addEventListener('scroll', () => { if (now() > begun.oursUntil) stir(); }, { capture: true, passive: true });
  hear(document.fonts, 'loadingdone loadingerror');
  addEventListener('resize', () => { if (innerWidth > 1) stir(); }, true); // a picture of more than the window makes it small for a moment
  globalThis.assayObserved = begun;
})();
