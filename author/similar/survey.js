// survey describes elements: those given, or, with all, those of the document of the
// first that can be worked or read. It runs in the page and changes nothing there.
(given, options) => {
  const MOST = 2000;
  const tidy = (s) => String(s || '').replace(/\s+/g, ' ').trim();
  const cut = (s) => tidy(s).slice(0, 200);
  const attr = (e, name) => e.getAttribute(name) || '';
  const tagOf = (e) => e.localName;
  const TYPES = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', email: 'textbox', tel: 'textbox', text: 'textbox', url: 'textbox' };
  const TAGS = { button: 'button', summary: 'button', textarea: 'textbox', option: 'option', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', nav: 'navigation', main: 'main', aside: 'complementary', dialog: 'dialog', img: 'img', p: 'paragraph', li: 'listitem', td: 'cell', th: 'columnheader', tr: 'row', form: 'form' };
  const SECTIONS = 'article,aside,main,nav,section';
  const role = (e) => {
    const said = attr(e, 'role').trim().split(/\s+/)[0];
    if (said && said !== 'presentation' && said !== 'none') return said;
    const tag = tagOf(e);
    if (tag === 'a' || tag === 'area') return e.hasAttribute('href') ? 'link' : '';
    if (tag === 'input') return e.type === 'text' && e.hasAttribute('list') ? 'combobox' : TYPES[e.type] || (e.type === 'hidden' ? '' : e.type === 'password' ? '' : '');
    if (tag === 'select') return e.multiple || e.size > 1 ? 'listbox' : 'combobox';
    if (tag === 'header' || tag === 'footer') return e.closest(SECTIONS) ? '' : tag === 'header' ? 'banner' : 'contentinfo';
    if (tag === 'section') return e.hasAttribute('aria-label') || e.hasAttribute('aria-labelledby') ? 'region' : '';
    return TAGS[tag] || '';
  };
  const shown = (e) => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && (!e.checkVisibility || e.checkVisibility({ checkVisibilityCSS: true, visibilityProperty: true }));
  };
  const byContent = /^(button|link|heading|menuitem|menuitemcheckbox|menuitemradio|tab|option|checkbox|radio|switch|treeitem|cell|columnheader|rowheader|row|tooltip)$/;
  // textIn is the text of an element as its name has it: pictures count by their alternative text.
  const textIn = (e) => {
    let out = '';
    for (const n of e.childNodes) {
      if (n.nodeType === 3) out += n.nodeValue;
      else if (n.nodeType === 1 && !/^(script|style|noscript|template|svg)$/.test(n.localName) && attr(n, 'aria-hidden') !== 'true') {
        const inner = attr(n, 'aria-label') || (n.localName === 'img' ? attr(n, 'alt') : textIn(n));
        out += /^(inline|contents)$/.test(getComputedStyle(n).display) ? inner : ' ' + inner + ' ';
      }
    }
    return out;
  };
  const name = (e) => {
    const ids = attr(e, 'aria-labelledby').split(/\s+/).filter(Boolean);
    const of = ids.map((id) => e.getRootNode().getElementById(id)).filter(Boolean);
    if (of.length) return cut(of.map(textIn).join(' '));
    if (attr(e, 'aria-label')) return cut(attr(e, 'aria-label'));
    if (e.labels && e.labels.length) return cut([...e.labels].map(textIn).join(' '));
    if (tagOf(e) === 'input' && /^(submit|button|reset)$/.test(e.type)) return cut(e.value || e.type);
    if (/^(img|area)$/.test(tagOf(e)) || e.type === 'image') return cut(attr(e, 'alt') || attr(e, 'title'));
    const own = byContent.test(role(e)) ? cut(textIn(e)) : '';
    return own || cut(attr(e, 'title')) || (/^(input|textarea)$/.test(tagOf(e)) ? cut(attr(e, 'placeholder')) : '');
  };
  const LANDMARKS = /^(banner|complementary|contentinfo|dialog|alertdialog|form|main|navigation|region|search)$/;
  const parent = (e) => e.parentElement || (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
  const landmark = (e) => {
    for (let p = parent(e); p; p = parent(p)) {
      const r = role(p);
      if (LANDMARKS.test(r) && r !== 'form') return r === 'alertdialog' ? 'dialog' : r;
    }
    return '';
  };
  const place = (e) => {
    let n = 1;
    for (let s = e.previousElementSibling; s; s = s.previousElementSibling) if (s.localName === e.localName) n++;
    return `${e.localName}[${n}]`;
  };
  const path = (e, stop) => {
    const out = [];
    for (let p = e; p; p = parent(p)) {
      out.unshift(place(p));
      if (stop && p !== e && p.id) {
        out[0] = '#' + p.id;
        break;
      }
    }
    return out.join('/');
  };
  // near is what is said around an element, in the smallest block that says more than it does.
  const near = (e) => {
    const own = tidy(e.textContent);
    for (let p = parent(e), up = 0; p && up < 4; p = parent(p), up++) {
      const text = tidy(p.textContent);
      if (text.length > own.length + 2) return cut(text.replace(own, ' '));
    }
    return '';
  };
  const quote = (s) => "'" + s.replace(/\\/g, '\\\\').replace(/'/g, "\\'").replace(/\n/g, '\\n') + "'";
  const line = (s) => '"' + s.replace(/\\/g, '\\\\').replace(/"/g, '\\"') + '"';
  const address = (e) => (e.href && e.hasAttribute('href') && typeof e.href === 'string' ? (e.origin === location.origin ? e.pathname + e.search + e.hash : e.href) : '').slice(0, 300);
  const describe = (e) => {
    const box = e.getBoundingClientRect();
    const text = /^(input|textarea|select)$/.test(tagOf(e)) ? '' : cut(e.innerText === undefined ? e.textContent : e.innerText);
    return {
      tag: tagOf(e), type: /^(input|button)$/.test(tagOf(e)) ? e.type : '', role: role(e), name: name(e), text, id: e.id || '', formName: attr(e, 'name'),
      testId: attr(e, 'data-testid') || attr(e, 'data-test') || attr(e, 'data-cy'), classes: [...e.classList].slice(0, 20), href: address(e), placeholder: attr(e, 'placeholder'),
      near: near(e), path: path(e), fromId: path(e, true), landmark: landmark(e), visible: shown(e),
      box: { x: Math.round(box.x + scrollX), y: Math.round(box.y + scrollY), w: Math.round(box.width), h: Math.round(box.height) },
    };
  };
  const doc = given[0].ownerDocument;
  const SEEN = 'a,button,input,select,textarea,summary,[role],[onclick],[tabindex]';
  // twins is how many others are called the same.
  const twins = (e, d) => {
    const others = [...e.getRootNode().querySelectorAll(e.matches(SEEN) ? SEEN : e.localName)].slice(0, MOST);
    return others.filter((o) => o !== e && role(o) === d.role && shown(o) && name(o) === d.name && (d.name || d.role || cut(o.innerText) === d.text)).length;
  };
  if (!options || !options.all) {
    return given.slice(0, 60).map((e, i) => {
      const d = describe(e);
      return i < 10 ? { ...d, twins: twins(e, d) } : d;
    });
  }

  const found = [];
  const deep = (root, each) => {
    for (const e of root.querySelectorAll('*')) {
      each(e);
      if (e.shadowRoot) deep(e.shadowRoot, each);
    }
  };
  deep(doc, (e) => {
    if (found.length >= MOST || /^(html|head|body|script|style|meta|link|title|template|noscript|br|hr|path|g)$/.test(tagOf(e))) return;
    const speaks = [...e.childNodes].some((n) => n.nodeType === 3 && n.nodeValue.trim());
    const works = role(e) || e.matches('input,select,textarea,button,a,[onclick],[tabindex],[contenteditable]:not([contenteditable=false])');
    if (!works && !speaks && getComputedStyle(e).cursor !== 'pointer') return;
    if (e.type !== 'hidden') found.push([e, describe(e)]);
  });
  const count = (selector) => {
    let n = 0;
    const look = (root) => {
      n += root.querySelectorAll(selector).length;
      for (const host of hosts) if (host.getRootNode() === root) look(host.shadowRoot);
    };
    look(doc);
    return n;
  };
  const hosts = [];
  deep(doc, (e) => e.shadowRoot && hosts.push(e));
  const named = {}; // how many elements that are seen have a role with a name
  const labelled = {};
  const bump = (map, key) => (map[key] = (map[key] || 0) + 1);
  const called = (d) => `${d.role}|${d.name}|${d.name || d.role ? '' : d.text}`;
  const alike = {};
  for (const [e, d] of found) {
    if (!d.visible) continue;
    bump(alike, called(d));
    if (d.role && d.name) {
      bump(named, d.role + '|' + d.name);
      bump(named, d.landmark + '|' + d.role + '|' + d.name);
    }
    if (d.name && /^(input|select|textarea)$/.test(d.tag)) bump(labelled, d.name);
  }
  const landmarks = {};
  for (const [, d] of found) if (LANDMARKS.test(d.role)) bump(landmarks, d.role);
  const made = /\d{3,}|[0-9a-f]{6,}|^[:«]|--?\w*\d\w*$/i; // ids that a build or a framework makes
  const ways = (e, d) => {
    const out = [];
    const css = (s) => {
      try {
        if (count(s) === 1) out.push({ source: `locator(${quote(s)})`, line: 'css=' + s });
      } catch {
        // not a selector after all
      }
    };
    if (attr(e, 'data-testid') && count(`[data-testid=${line(attr(e, 'data-testid'))}]`) === 1) out.push({ source: `getByTestId(${quote(attr(e, 'data-testid'))})`, line: 'testid=' + attr(e, 'data-testid') });
    if (d.role && d.name && named[d.role + '|' + d.name] === 1) out.push({ source: `getByRole(${quote(d.role)}, { name: ${quote(d.name)}, exact: true })`, line: `${d.role} ${line(d.name)}` });
    if (/^(input|select|textarea)$/.test(d.tag) && e.labels && e.labels.length && labelled[d.name] === 1) out.push({ source: `getByLabel(${quote(d.name)}, { exact: true })`, line: `label=${line(d.name)}` });
    if (d.id && !made.test(d.id)) css('#' + CSS.escape(d.id));
    if (d.formName) css(`${d.tag}[name=${line(d.formName)}]`);
    if (d.role && d.name && d.landmark && landmarks[d.landmark] === 1 && named[d.landmark + '|' + d.role + '|' + d.name] === 1) {
      out.push({ source: `getByRole(${quote(d.landmark)}).getByRole(${quote(d.role)}, { name: ${quote(d.name)}, exact: true })`, line: '' });
    }
    if (d.tag === 'a' && attr(e, 'href')) css(`a[href=${line(attr(e, 'href'))}]`);
    for (const c of d.classes) if (!made.test(c)) css(`${d.tag}.${CSS.escape(c)}`);
    if (out.length < 2) {
      let s = '';
      for (let p = e; p && p !== doc.body; p = p.parentElement) {
        const step = p !== e && p.id && !made.test(p.id) ? '#' + CSS.escape(p.id) : place(p).replace(/\[(\d+)\]$/, ':nth-of-type($1)');
        s = step + (s ? ' > ' + s : '');
        if (step.startsWith('#')) break;
      }
      css(s);
    }
    return out.slice(0, 4);
  };
  return found.map(([e, d]) => ({ ...d, twins: (alike[called(d)] || 1) - 1, ways: ways(e, d) }));
}
