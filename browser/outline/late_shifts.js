// What a person sees jump: parts of a page that moved after it had loaded, although nobody acted. The browser keeps a record of them; no observer
// of ours has to run.

const JUMP = 0.1; // of the window's height: lines that wrap anew when a font comes move by less
const MAIN_PART = 0.25; // of the words: what is pushed on by what is appended above it, such as a footer, is less

// recorded returns what the browser has kept of a kind of performance entries; empty where it keeps none.
function recorded(type) {
  if (!(PerformanceObserver.supportedEntryTypes || []).includes(type)) return [];
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type, buffered: true });
  const out = observer.takeRecords();
  observer.disconnect();
  return out;
}

// unbidden returns the shifts that came after the load and that no act can have asked for.
function unbidden() {
  const [load] = performance.getEntriesByType('navigation');
  const loaded = load ? load.loadEventEnd : 0;
  const acted = Math.min(...recorded('first-input').map((input) => input.startTime));
  return loaded > 0 ? recorded('layout-shift').filter((e) => e.startTime > loaded && e.startTime < acted && !e.hadRecentInput) : [];
}

// jumpOf returns by how many pixels something moved up or down in the window. What moved out of it has an empty box.
function jumpOf({ previousRect: before, currentRect: now }, height) {
  if (before.height < 1) return 0;
  return Math.abs((now.height < 1 ? height : now.y) - before.y);
}

const staysInFlow = (el) => !/absolute|fixed|sticky/.test(styleOf(el).position);
const movedElement = (node) => (nodeType(node) === 1 ? node : parentOf(node));

// lateShift returns the farthest jump of a main part of a page; null where there was none. runs are the page's texts, with their elements and boxes.
function lateShift(runs, win) {
  const height = win.innerHeight;
  let worst = null;
  for (const shift of unbidden()) {
    const moved = (shift.sources || []).filter((s) => s.node && movedElement(s.node) && jumpOf(s, height) >= height * JUMP && staysInFlow(movedElement(s.node)));
    if (!moved.length) continue;
    const by = Math.max(...moved.map((s) => jumpOf(s, height)));
    if ((worst && worst.by >= by) || partOf(runs, moved.map((s) => s.node), height + by, win) < MAIN_PART) continue;
    worst = { by, el: movedElement(moved[0].node) };
  }
  return worst && { s: cssPath(worst.el), k: String(Math.round(worst.by)) };
}

// partOf returns which part of the words, as far down as reach, stands in the nodes or after the last of them: the browser names five nodes of a
// shift at most.
function partOf(runs, nodes, reach, win) {
  const more = nodes.length >= 5;
  let all = 0, within = 0;
  for (const { el, y, n } of runs) {
    if (y + win.scrollY > reach) continue;
    all += n;
    const near = nodes.some((node) => Node.prototype.contains.call(node, el) || Node.prototype.contains.call(el, node));
    const after = more && nodes.some((node) => !!parentNode(node) && Node.prototype.contains.call(parentNode(node), el) && (Node.prototype.compareDocumentPosition.call(node, el) & Node.DOCUMENT_POSITION_FOLLOWING));
    if (near || after) within += n;
  }
  return all ? within / all : 0;
}
