// edit changes the page as people's commits do, and marks nothing that a matcher sees.
(kind, [target, other] = []) => {
  const all = [...document.body.querySelectorAll('*')].filter((e) => !/^(SCRIPT|STYLE)$/.test(e.tagName));
  // styled changes the selectors of all style sheets, so that the page looks as before.
  const styled = (change) => {
    const rules = (list) => {
      for (const r of list) {
        if (r.selectorText) r.selectorText = change(r.selectorText);
        if (r.cssRules) rules(r.cssRules);
      }
    };
    for (const sheet of document.styleSheets) if (!sheet.href || new URL(sheet.href).origin === location.origin) rules(sheet.cssRules);
  };
  // call gives a control another name.
  const call = (e, name) => {
    for (const a of ['aria-label', 'title']) e.removeAttribute(a);
    const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
    let said = false;
    while (walker.nextNode()) {
      if (!walker.currentNode.nodeValue.trim()) continue;
      walker.currentNode.nodeValue = said ? '' : name;
      said = true;
    }
  };
  const saying = (e) => e.textContent.trim().replace(/\s+/g, ' ');
  const renamed = (c) => 'x' + c.length + '-' + c.split('').reverse().join('');
  switch (kind) {
    case 'class':
      styled((s) => s.replace(/\.(-?[_a-zA-Z][\w-]*)/g, (_, c) => '.' + renamed(c)));
      for (const e of [document.body, ...all]) if (e.classList.length) e.setAttribute('class', [...e.classList].map(renamed).join(' '));
      break;
    case 'id': {
      let n = 0;
      for (const e of all) {
        if (!e.id) continue;
        const id = `field-${++n}`;
        for (const l of document.querySelectorAll(`label[for="${CSS.escape(e.id)}"]`)) l.htmlFor = id;
        e.id = id;
      }
      break;
    }
    case 'wrapper':
      for (const e of all) {
        if (!/^(A|BUTTON|INPUT|SELECT|TEXTAREA)$/.test(e.tagName)) continue;
        const wrap = document.createElement(getComputedStyle(e).display === 'block' ? 'div' : 'span');
        e.replaceWith(wrap);
        wrap.append(e);
      }
      break;
    case 'case':
      for (const e of all) for (const n of e.childNodes) if (n.nodeType === 3 && /[a-z]/.test(n.nodeValue)) n.nodeValue = n.nodeValue === n.nodeValue.toLowerCase() ? n.nodeValue.toUpperCase() : n.nodeValue.toLowerCase();
      break;
    case 'moved': // within its row, or with it
      if (target.nextElementSibling) target.nextElementSibling.after(target);
      else if (target.previousElementSibling) target.previousElementSibling.before(target);
      else target.parentElement.parentElement.prepend(target.parentElement);
      break;
    case 'newcomer': {
      const copy = (other || target).cloneNode(true);
      copy.removeAttribute('id');
      copy.removeAttribute('href');
      call(copy, 'What is new here');
      target.before(copy);
      break;
    }
    case 'bare': // without an id and classes of its own
      target.removeAttribute('id');
      target.removeAttribute('class');
      break;
    case 'renamed':
      call(target, 'Proceed');
      break;
    case 'gone':
      target.remove();
      break;
    case 'gone and called': {
      const name = saying(target);
      target.remove();
      call(other, name);
      break;
    }
    case 'swapped': {
      const name = saying(target);
      call(target, saying(other));
      call(other, name);
      break;
    }
    case 'called as it': {
      const name = saying(target);
      call(target, 'Proceed');
      call(other, name);
      break;
    }
    case 'scope': {
      const section = document.createElement('div');
      const inner = document.createElement('section');
      inner.append(...[...document.body.children].filter((e) => !/^(SCRIPT|STYLE)$/.test(e.tagName)));
      section.append(inner);
      document.body.prepend(section);
      break;
    }
  }
};
