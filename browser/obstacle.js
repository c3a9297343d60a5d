async found => {
  const said = (kind, more) => JSON.stringify({ kind, ...more });
  const element = found[0];
  if (found.length !== 1 || !element.isConnected) return said('gone');

  const outline = node => {
    const shell = node.cloneNode(false);
    const tag = shell.outerHTML.replace(/<\/[^>]*>$/, '').slice(0, 150);
    const text = (node.innerText || '').trim().replace(/\s+/g, ' ').slice(0, 60);
    return text ? `${tag} "${text}"` : tag;
  };
  const parentOf = node => node.assignedSlot || node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  const holds = (outer, inner) => {
    for (let node = inner; node; node = parentOf(node)) if (node === outer) return true;
    return false;
  };
  const hitAt = (root, x, y) => {
    let hit = root.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  const frame = () => matchMedia('(scripting: none)').matches ? null : new Promise(done => { requestAnimationFrame(done); setTimeout(done, 100); });

  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  if (style.visibility !== 'visible') return said('invisible', { as: style.visibility });
  if (!box.width || !box.height) return said('sizeless', { none: element.checkVisibility?.() === false });
  if (element.matches(':disabled') || element.closest('[aria-disabled=true]')) return said('disabled');
  if (element.readOnly || element.getAttribute('aria-readonly') === 'true') return said('readonly');

  for (let i = 0; i < 3; i++) {
    const before = element.getBoundingClientRect();
    await frame();
    const after = element.getBoundingClientRect();
    if (before.x !== after.x || before.y !== after.y || before.width !== after.width || before.height !== after.height) return said('moving');
  }

  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  let { x, y, width, height } = element.getBoundingClientRect();
  x += width / 2;
  y += height / 2;
  for (let view = element.ownerDocument.defaultView, target = element; view; ) {
    if (x < 0 || y < 0 || x >= view.innerWidth || y >= view.innerHeight) return said('outside');
    const hit = hitAt(view.document, x, y);
    if (!hit || !holds(target, hit)) {
      return said('covered', { by: hit ? outline(hit) : '' });
    }
    let outer = null;
    try {
      outer = view.frameElement;
    } catch {}
    if (!outer) return '';
    const at = outer.getBoundingClientRect();
    x += at.x + outer.clientLeft;
    y += at.y + outer.clientTop;
    target = outer;
    view = outer.ownerDocument.defaultView;
  }
  return '';
}
