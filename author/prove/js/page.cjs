// Functions that run in the page. Each stands alone: it is sent as text.
'use strict';

// describe says what elements are and show.
exports.describe = function describe(els) {
  return els.slice(0, 60).map((e) => {
    const control = /^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(e.tagName);
    const form = e.closest('form');
    return {
      tag: e.tagName.toLowerCase(),
      text: String(e.innerText === undefined ? e.textContent : e.innerText).trim().slice(0, 400),
      value: control && e.tagName !== 'BUTTON' && e.type !== 'password' ? String(e.value).slice(0, 200) : undefined,
      type: e.type || undefined,
      control,
      checkable: e.type === 'checkbox' || e.type === 'radio',
      secret: e.type === 'password',
      form: !!form,
      invalid: !!form && form.matches(':invalid'),
      html: e.outerHTML.replace(/value="[^"]*"/g, 'value="…"').slice(0, 160),
    };
  });
};

// names lists ids and classes that look as if a build had made them.
exports.names = function names() {
  const found = new Set();
  const made = /^(?=.*\d)(?=.*[a-z])[\w-]*[a-z0-9]{5,}$/i;
  for (const e of document.querySelectorAll('[class],[id]')) {
    for (const name of [...e.classList, e.id]) if (name.length >= 6 && made.test(name) && /[a-z]\d+[a-z]|\d[a-z]+\d/i.test(name)) found.add(name);
    if (found.size > 200) break;
  }
  return [...found];
};

// probe says how often a listener of ours was called, and whether a change still holds.
exports.probe = function probe() {
  const a = window.__assay || {};
  return { count: a.count || 0, held: a.held ? a.held() : undefined };
};

// mutate changes elements as a mutant says, keeps the change when the page renders
// them again, and tells their state before and after.
exports.mutate = function mutate(first, { els, m }) {
  const doc = first.ownerDocument;
  const win = doc.defaultView;
  const state = (win.__assay = { count: 0 });
  const tell = () => els.slice(0, 60).map((e) => (e.isConnected ? [e.outerHTML.slice(0, 4000), e.value, e.checked, e.disabled].join('\n') : 'gone')).join('\n') + '\n' + els[0].getRootNode().querySelectorAll('*').length;
  const before = tell();
  const texts = (root) => {
    const walker = doc.createTreeWalker(root, 4);
    const out = [];
    while (walker.nextNode()) if (walker.currentNode.nodeValue.trim() && !/^(SCRIPT|STYLE)$/.test(walker.currentNode.parentNode.tagName)) out.push(walker.currentNode);
    return out;
  };
  const number = { 'plus-one': (n) => String(BigInt(n) + 1n), 'minus-one': (n) => String(n === '0' ? 1 : BigInt(n) - 1n), 'times-ten': (n) => n + '0' };
  const rewrite = (e) => {
    const nodes = texts(e);
    if (number[m.kind]) {
      const node = nodes.find((t) => (m.number ? t.nodeValue.includes(m.number) : /\d/.test(t.nodeValue)));
      if (node) node.nodeValue = node.nodeValue.replace(m.number || /\d+/, number[m.kind]);
    } else if (m.kind === 'nan') {
      const node = nodes.find((t) => (m.number ? t.nodeValue.includes(m.number) : /\d/.test(t.nodeValue)));
      if (node) node.nodeValue = node.nodeValue.replace(m.number || /\d[\d.,]*/, 'NaN');
    } else {
      nodes.forEach((t, i) => (t.nodeValue = m.kind === 'other-label' && i === 0 ? m.other : ''));
    }
    return e.textContent;
  };
  const keep = (e, options, again) => {
    let left = 200;
    const observer = new win.MutationObserver(() => {
      if (left-- > 0) again();
      observer.takeRecords();
    });
    observer.observe(e, options);
  };
  const native = (e, name) => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), name).set;
  // stop keeps events of the elements from every listener; a default action of a
  // button or a link is kept back, too, that of a field is not.
  const stop = (names, after) => {
    const mine = (event) => event.composedPath().some((n) => els.includes(n) || (n.tagName === 'LABEL' && els.includes(n.control)));
    for (const name of names) {
      win.addEventListener(name, (event) => {
        if (!mine(event) && !m.all) return;
        state.count++;
        event.stopImmediatePropagation();
        const field = els.some((e) => /^(INPUT|SELECT|TEXTAREA|OPTION|LABEL)$/.test(e.tagName) && !/^(submit|button|image|reset)$/.test(e.type));
        if ((!field && /click|submit/.test(name)) || (name === 'keydown' && event.key === 'Enter')) event.preventDefault();
        if (after && /^(click|change|keydown|submit)$/.test(name)) after();
      }, true);
    }
  };
  const events = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'touchstart', 'touchend', 'keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'submit', 'drop'];
  switch (m.kind) {
    case 'removed':
    case 'list-empty':
      els.forEach((e) => e.remove());
      state.held = () => els.every((e) => !e.isConnected);
      break;
    case 'list-short':
      els[els.length - 1].remove();
      state.held = () => !els[els.length - 1].isConnected;
      break;
    case 'list-doubled': {
      const copy = els[els.length - 1].cloneNode(true);
      els[els.length - 1].after(copy);
      state.held = () => copy.isConnected;
      break;
    }
    case 'list-unsorted': {
      const marks = els.map((e) => {
        const mark = doc.createComment('');
        e.replaceWith(mark);
        return mark;
      });
      [...els].reverse().forEach((e, i) => marks[i].replaceWith(e));
      state.held = () => els[0].isConnected && !!(els[0].compareDocumentPosition(els[els.length - 1]) & 2);
      break;
    }
    case 'hidden':
      for (const e of els) {
        const hide = () => e.style.getPropertyValue('display') !== 'none' && e.style.setProperty('display', 'none', 'important');
        hide();
        keep(e, { attributes: true, attributeFilter: ['style'] }, hide);
      }
      state.held = () => els.every((e) => e.isConnected && e.style.getPropertyValue('display') === 'none');
      break;
    case 'disabled':
    case 'enabled': {
      const to = m.kind === 'disabled';
      for (const e of els) {
        const set = () => e.disabled !== to && (e.disabled = to);
        set();
        keep(e, { attributes: true, attributeFilter: ['disabled'] }, set);
      }
      state.held = () => els.every((e) => e.isConnected && e.disabled === to);
      break;
    }
    case 'covered': {
      const cover = doc.createElement('div');
      cover.style.cssText = 'position:fixed;inset:0;background:#fff;z-index:2147483647';
      (first.closest('dialog[open]') || doc.body).append(cover); // an open dialog is above all else
      state.held = () => cover.isConnected;
      break;
    }
    case 'swallowed':
      stop(events);
      break;
    case 'input-ignored': {
      // The field takes nothing: its value is put back, and no listener hears of it.
      const old = els.map((e) => e.value);
      for (const name of ['beforeinput', 'input', 'change']) {
        win.addEventListener(name, (event) => {
          const i = els.indexOf(event.composedPath()[0]);
          if (i < 0) return;
          state.count++;
          event.stopImmediatePropagation();
          if (name !== 'beforeinput') native(els[i], 'value').call(els[i], old[i]);
        }, true);
      }
      break;
    }
    case 'exception':
      stop(events, () => win.setTimeout(() => { throw new Error('a handler failed'); }));
      break;
    case 'submit-ignored':
      m.all = true;
      stop(['submit']);
      break;
    case 'no-validation':
      for (const e of els) {
        const form = e.closest('form');
        if (!form) continue;
        form.noValidate = true;
        for (const field of form.elements) for (const name of ['required', 'pattern', 'min', 'max', 'minlength', 'maxlength']) field.removeAttribute(name);
        state.count++;
      }
      break;
    case 'value-other':
      for (const e of els) {
        let to = m.other;
        if (e.tagName === 'SELECT') to = ([...e.options].find((o) => o.value !== e.value) || e).value;
        native(e, 'value').call(e, to);
      }
      break;
    case 'flipped':
      for (const e of els) {
        if ('checked' in e) native(e, 'checked').call(e, !e.checked);
        else e.setAttribute('aria-checked', e.getAttribute('aria-checked') === 'true' ? 'false' : 'true');
      }
      break;
    case 'attribute-other':
      for (const e of els) e.setAttribute(m.attribute, (e.getAttribute(m.attribute) || '') + '-other');
      state.held = () => els.every((e) => e.isConnected && e.getAttribute(m.attribute).endsWith('-other'));
      break;
    case 'unfocused':
      els.forEach((e) => e.blur());
      break;
    default:
      for (const e of els) {
        let now = rewrite(e);
        keep(e, { characterData: true, childList: true, subtree: true }, () => {
          if (e.textContent !== now) now = rewrite(e);
        });
        state.held = () => els.every((one) => one.isConnected) && e.textContent === now;
      }
  }
  return { before, after: tell() };
};

// shown is what the page shows.
exports.shown = function shown() {
  return { path: location.pathname, title: document.title, html: document.body.innerHTML };
};

// elsewhere changes the page's own address or title, or shows another page: the first that the
// test has acted on, or one that says that something went wrong.
exports.elsewhere = function elsewhere({ m, first }) {
  const tell = () => location.href + document.title + (m.kind === 'page-other' ? document.body.innerHTML : '');
  const before = tell();
  if (m.kind === 'title-other') document.title = m.other;
  else if (m.kind === 'address-other') history.replaceState(history.state, '', m.other);
  else {
    const other = first && first.path !== location.pathname ? first : { title: 'Error', html: '<h1>Error</h1><p>Something went wrong.</p>' };
    const mark = document.createComment('');
    document.title = other.title;
    document.body.innerHTML = other.html;
    document.body.append(mark);
    window.__assay = { held: () => mark.isConnected };
  }
  return { before, after: tell() };
};
