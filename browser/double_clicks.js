// Which elements of the document answer a double click, as far as listeners say: an expression for Chromium's Runtime.evaluate with its command
// line API. It runs in the page's own world, where the properties of frameworks are, so a page can lie about it.
(() => {
  const MAX_ELEMENTS = 8000, MAX_FOUND = 40, MAX_WITHIN = 30, ITEMS = 2;
  const LISTS = 'ul, ol, table, tbody, [role=list], [role=listbox], [role=grid], [role=table], [role=tree], [role=rowgroup]';
  const all = [], paths = new Map(), found = new Set();
  const add = (el) => el instanceof Element && paths.has(el) && found.size < MAX_FOUND && found.add(el);
  const walk = (parent, path) => {
    [...parent.children].forEach((el, i) => {
      if (all.length >= MAX_ELEMENTS) return;
      const at = path + '.' + i;
      all.push(el);
      paths.set(el, at);
      if (el.shadowRoot) walk(el.shadowRoot, at + '.s');
      walk(el, at);
    });
  };
  walk(document, '');
  const firstText = (el) => {
    const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    for (let t = texts.nextNode(); t; t = texts.nextNode()) if (t.data.trim() && t.parentElement.getClientRects().length) return t.parentElement;
    return null;
  };
  // A framework that listens at a root says at each element what it does there: React, and Svelte and Solid.
  const byFramework = (el) => Object.keys(el).some((key) =>
    (/^__react(?:Props|EventHandlers)\$/.test(key) && el[key] && typeof el[key].onDoubleClick === 'function') || ((key === '__dblclick' || key === '$$dblclick') && el[key]));
  const isRoot = (el) => el === document.documentElement || el === document.body || Object.keys(el).some((key) => /^(?:__reactContainer|_reactListening|_reactRootContainer)/.test(key));
  for (const el of all) {
    if (found.size >= MAX_FOUND) break;
    if (byFramework(el) || /(?:^|[\s,])dblclick\b/.test(el.getAttribute('hx-trigger') || '')) add(el);
    if (!(getEventListeners(el).dblclick || []).length || isRoot(el)) continue;
    const handlers = (window.jQuery && typeof window.jQuery._data === 'function' && (window.jQuery._data(el, 'events') || {}).dblclick) || [];
    const delegated = handlers.map((h) => h.selector).filter(Boolean);
    delegated.forEach((selector) => [...window.jQuery(el).find(selector)].forEach(add));
    if (delegated.length && delegated.length === handlers.length) continue;
    if (el.matches(LISTS)) [...el.querySelectorAll(':scope > *')].slice(0, ITEMS).forEach((item) => add(firstText(item) || item));
    else if (el.querySelectorAll('*').length <= MAX_WITHIN) add(el); // beyond that, which part of it answers nobody knows
  }
  return [...found].map((el) => paths.get(el));
})()
