// A document whose scripts are blocked, such as that of a frame with `sandbox` or of a file that is served with such a policy, runs no callback of ours
// or of the driver either, and says on its console of each that it was blocked, as if the page had tried it. So none is kept in such a document: nothing
// is observed, and no frame awaited. In the page's own world this is only for documents that no other one can reach: an embedder's callbacks run.
const SCRIPTLESS = '(scripting: none)';
const runsCallbacks = !globalThis.matchMedia || !matchMedia(SCRIPTLESS).matches;

if (!runsCallbacks) {
  const drop = () => 0;
  class Deaf {
    observe() {}
    unobserve() {}
    disconnect() {}
    takeRecords() {
      return [];
    }
  }
  Object.assign(globalThis, { setTimeout: drop, setInterval: drop, requestAnimationFrame: drop, MutationObserver: Deaf, IntersectionObserver: Deaf });
  EventTarget.prototype.addEventListener = drop;
}
