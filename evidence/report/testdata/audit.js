// What axe-core would look at first, on a page of ours. Returns complaints.
() => {
  const out = [], say = s => out.push(s);
  const all = s => [...document.querySelectorAll(s)];
  for (const tag of ['main', 'header', 'footer']) if (all(tag).length !== 1) say(`${all(tag).length} <${tag}>`);
  if (document.documentElement.lang !== 'en' || !document.title) say('no language or no title');
  const heads = all('h1,h2,h3,h4,h5,h6').map(h => +h.tagName[1]);
  if (heads[0] !== 1 || heads.filter(h => h === 1).length !== 1) say('headings begin with h1, once: ' + heads);
  heads.reduce((a, b) => { if (b > a + 1) say(`a heading jumps from h${a} to h${b}`); return b; });
  for (const n of all('nav')) if (!n.getAttribute('aria-label')) say('a nav without a name');
  for (const s of all('section')) if (!s.getAttribute('aria-label') && !document.getElementById(s.getAttribute('aria-labelledby') || '')) say('a section without a name');
  for (const i of all('img')) if (!i.alt.trim()) say('a picture without alt'); else if ((i.loading === 'lazy') === !!i.closest('.crop')) say('a picture that is loaded at once below the first screen, or late on it');
  for (const t of all('th')) if (!t.scope) say('a header cell without scope');
  const ids = all('[id]').map(e => e.id);
  ids.filter((id, i) => ids.indexOf(id) !== i).forEach(id => say('two elements with id ' + id));
  for (const a of all('a[href^="#"]')) if (!document.getElementById(decodeURIComponent(a.getAttribute('href').slice(1)))) say('a link to nowhere: ' + a.getAttribute('href'));
  for (const i of all('input')) if (!i.ariaLabel && ![...i.labels].some(l => l.textContent.trim())) say('a control without a label');
  for (const f of all('fieldset')) if (!f.querySelector('legend')) say('a group of controls without a name');
  for (const e of all('a,summary')) if (!(e.textContent.trim() || e.querySelector('img'))) say('a link without words');

  const rgba = s => { const m = s.match(/[\d.]+/g).map(Number); return [m[0], m[1], m[2], m[3] === undefined ? 1 : m[3]]; };
  const over = (f, b) => [0, 1, 2].map(i => f[i] * f[3] + b[i] * (1 - f[3])).concat(1);
  const ground = e => {
    const layers = [];
    for (let n = e; n; n = n.parentElement) { const c = rgba(getComputedStyle(n).backgroundColor); layers.push(c); if (c[3] === 1) break; }
    return layers.reverse().reduce((b, f) => over(f, b), [255, 255, 255, 1]);
  };
  const light = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let texts = 0;
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement, st = getComputedStyle(e);
    if (!walk.currentNode.textContent.trim() || e.closest('[aria-hidden],style,.skip') || !e.getClientRects().length) continue;
    texts++;
    const b = ground(e), f = over(rgba(st.color), b), [x, y] = [light(f), light(b)].sort((p, q) => q - p);
    const size = parseFloat(st.fontSize), large = size >= 24 || size >= 18.66 && +st.fontWeight >= 700;
    const ratio = (x + 0.05) / (y + 0.05);
    if (ratio < (large ? 3 : 4.5)) say(`contrast ${ratio.toFixed(2)}: ${e.tagName}.${e.className} "${walk.currentNode.textContent.trim().slice(0, 30)}"`);
  }
  if (texts < 20) say(`only ${texts} texts were looked at`);
  return [...new Set(out)];
}
