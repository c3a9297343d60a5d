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

// byScore returns how far something in a shift moved, by the score that the browser gave it: the part of the window that it touched times the part of
// the window's longer side by which it moved. Of a box that moved a little it names no child that moved far.
function byScore(shift, win) {
  const boxes = shift.sources.flatMap((s) => [s.previousRect, s.currentRect]).filter((box) => box.height >= 1);
  const size = (side, length) => Math.max(...boxes.map((box) => box[side] + box[length])) - Math.min(...boxes.map((box) => box[side]));
  const touched = boxes.length ? size('x', 'width') * size('y', 'height') : 0;
  return touched < 1 ? 0 : (shift.value * win.innerWidth * win.innerHeight * Math.max(win.innerWidth, win.innerHeight)) / touched;
}

// movedBy returns what moved far in a shift, and by how much.
function movedBy(shift, win) {
  const least = win.innerHeight * JUMP;
  const sources = (shift.sources || []).filter((s) => s.node && movedElement(s.node) && staysInFlow(movedElement(s.node)));
  const far = sources.filter((s) => jumpOf(s, win.innerHeight) >= least);
  if (far.length) return { by: Math.max(...far.map((s) => jumpOf(s, win.innerHeight))), nodes: far.map((s) => s.node) };
  const by = sources.length && sources.every((s) => s.previousRect.x === s.currentRect.x) ? byScore(shift, win) : 0;
  return { by, nodes: by >= least ? sources.map((s) => s.node) : [] };
}

// lateShift returns the farthest jump of a main part of a page; null where there was none. runs are the page's texts, with their elements and boxes.
function lateShift(runs, win) {
  let worst = null;
  for (const shift of unbidden()) {
    const { by, nodes } = movedBy(shift, win);
    if (!nodes.length || (worst && worst.by >= by) || partOf(runs, nodes, win.innerHeight + by, win) < MAIN_PART) continue;
    worst = { by, el: movedElement(nodes[0]) };
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
    const near = nodes.some((node) => Node.prototype.contains.call(node, el) || (nodeType(node) !== 1 && Node.prototype.contains.call(el, node)));
    const after = more && nodes.some((node) => !!parentNode(node) && Node.prototype.contains.call(parentNode(node), el) && (Node.prototype.compareDocumentPosition.call(node, el) & Node.DOCUMENT_POSITION_FOLLOWING));
    if (near || after) within += n;
  }
  return all ? within / all : 0;
}
