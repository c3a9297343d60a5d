// Tells of each act of a person on a document, in the order in which they are done. It runs in a world of its own: the page's scripts reach neither its
// listeners nor its channel, and it hears an event before they do. What scripts make is no act: it counts alone what the browser says is a person's, and
// of clicks those that have a pointer.
(make, channel) => {
  if (globalThis.assayRecording || !document.addEventListener) return;
  globalThis.assayRecording = true;
  const send = globalThis[channel];
  const FAR = 8; // CSS pixels that a pointer moves before it drags
  const STIRS_EVERY = 500; // ms between two words of a document that changes
  const NAVIGATING = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']);
  const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'ScrollLock', 'Fn', 'Dead', 'Process', 'Unidentified']);
  const FIELD = new Set(['text', 'editor']);

  let made;
  const page = () => (made ||= make());
  const numbers = new WeakMap(), secrets = new WeakSet();
  let count = 0, fields = new WeakMap(); // fields: what is known of those that were typed into since the last other act
  const numberOf = (el) => numbers.get(el) || (numbers.set(el, ++count), count);

  const say = (kind, act) => {
    if (kind !== 'input' && kind !== 'stir') fields = new WeakMap();
    send(JSON.stringify({ kind, ...act }));
  };
  const targetOf = (e) => {
    const at = e.composedPath()[0];
    return at instanceof Element ? at : at === document || at === globalThis ? null : at && at.parentElement;
  };

  // on describes what an act is on; null where it is no element of the page.
  const on = (el) => {
    const found = el && page().actedOn(el);
    if (!found) return null;
    const { lines: frames, page: whole } = page().framesAround();
    if (found.secret) secrets.add(el);
    return { ...found, secret: secrets.has(el), id: numberOf(el), frames, whole };
  };
  const controlAt = (el) => (el ? page().controlOfAct(el) : undefined);
  const kindAt = (el) => (el ? page().workedBy(el) : '');

  // A field that shows what was a password has held one.
  const noteSecret = (el) => {
    if (el && FIELD.has(kindAt(el)) && page().secretField(el)) secrets.add(el);
  };

  let down = null, skipsClick = false, dragged = null, pressed = '';

  const handlers = {
    pointerdown(e) {
      skipsClick = false;
      down = null;
      if (e.button !== 0 || !e.isPrimary) return;
      const el = targetOf(e), control = controlAt(el);
      noteSecret(control);
      down = { el, control, on: on(control), x: e.clientX, y: e.clientY, box: control && control.getBoundingClientRect() };
    },

    pointerup(e) {
      if (!down || e.button !== 0 || Math.hypot(e.clientX - down.x, e.clientY - down.y) < FAR) return;
      const from = down.control, kind = kindAt(from);
      if (!down.on || FIELD.has(kind) || kind === 'choice' || isTextChosen()) return;
      const stays = staysOn(from, down.box, e);
      if (stays && down.on.acts) return; // a hand that was not quiet: its click tells
      const under = document.elementsFromPoint(e.clientX, e.clientY).find((el) => !from.contains(el));
      const onto = under && controlAt(under);
      skipsClick = true;
      if (!stays && onto && !onto.contains(from)) say('drag', { on: down.on, to: on(onto) });
      else say('slide', { on: down.on });
    },

    click(e) {
      if (!e.pointerType || skipsClick || e.button !== 0) return;
      const el = targetOf(e), same = down && (down.el === el || !down.el || !down.el.isConnected);
      const what = same ? down.on : on(controlAt(el));
      if (!what) return say('blank', {});
      if (what.kind === 'choice') return; // its change tells what was chosen
      const opens = (e.ctrlKey || e.metaKey || e.shiftKey) && el.closest('a[href]');
      say(opens ? 'aside' : 'click', { on: what });
    },

    auxclick(e) {
      const el = targetOf(e);
      if (e.button === 1 && el && el.closest('a[href]')) say('aside', { on: on(controlAt(el)) });
    },

    contextmenu(e) {
      const what = on(controlAt(targetOf(e)));
      if (what) ifHandled(e, () => say('menu', { on: what }));
    },

    dblclick(e) {
      const what = down && down.on;
      if (what && !FIELD.has(what.kind) && what.kind !== 'choice') say('double', { on: what });
    },

    keydown(e) {
      if (e.isComposing || MODIFIERS.has(e.key)) return;
      pressed = e.key;
      const el = targetOf(e), kind = kindAt(el), control = el && ['HTML', 'BODY'].includes(el.tagName) ? null : el;
      noteSecret(control);
      const combined = e.ctrlKey || e.metaKey || e.altKey;
      const key = [e.ctrlKey && 'Control', e.altKey && 'Alt', e.metaKey && 'Meta', e.shiftKey && (combined || e.key.length > 1) && 'Shift', e.key === ' ' ? 'Space' : e.key].filter(Boolean).join('+');
      const types = !combined && e.key.length === 1 && !kind && el && !el.shadowRoot;
      const press = () => say('key', { key, veiled: types ? veil(el) : 0, on: on(FIELD.has(kind) && control ? page().controlOfAct(control) : control) });
      if (combined) return ifHandled(e, press);
      if (FIELD.has(kind)) return pressInField(e, kind, control, press);
      if (kind === 'choice' || ((kind === 'radio' || kind === 'checkbox') && NAVIGATING.has(e.key))) {
        if (e.key === 'Escape' || e.key === 'Tab') press();
        return; // its change tells
      }
      if (!control && (NAVIGATING.has(e.key) || e.key === ' ')) return ifHandled(e, press); // it scrolls
      press();
    },

    keyup() {
      pressed = '';
    },

    input(e) {
      const el = targetOf(e), kind = kindAt(el);
      if (!kind) return say('input', { on: null }); // in a closed shadow root
      if (!FIELD.has(kind)) return;
      const field = kind === 'editor' ? page().controlOfAct(el) : el;
      if (!fields.has(field)) fields.set(field, on(field));
      const what = fields.get(field);
      if (what) say('input', { on: { ...what, secret: what.secret || secrets.has(field) }, value: page().heldBy(field) });
      else say('input', { on: null });
    },

    change(e) {
      const el = targetOf(e), kind = kindAt(el);
      if (kind === 'choice' && el.options) {
        const chosen = [...el.selectedOptions];
        const labels = [...el.options].map((o) => o.label.trim());
        say('choose', { on: on(el), options: chosen.map((o) => (labels.filter((label) => label === o.label.trim()).length > 1 ? o.value : o.label.trim())), several: el.multiple });
      }
      if (kind === 'files') {
        globalThis.assayFiles = [...el.files];
        say('files', { on: on(el), files: [...el.files].map((f) => f.name) });
      }
      if ((kind === 'radio' || kind === 'checkbox') && NAVIGATING.has(pressed)) say('click', { on: on(el) });
    },

    dragstart(e) {
      down = null;
      dragged = on(controlAt(targetOf(e)));
    },

    dragend() {
      dragged = null;
    },

    drop(e) {
      const el = targetOf(e);
      if (!el || FIELD.has(kindAt(el))) return; // what it holds then is told
      const files = [...e.dataTransfer.files], to = on(controlAt(el));
      if (!dragged && !files.length) return;
      globalThis.assayFiles = files;
      if (dragged) say('drag', { on: dragged, to });
      else say('drop', { on: to, files: files.map((f) => f.name) });
      dragged = null;
    },
  };

  // pressInField tells of the keys in a field that are no part of its text.
  function pressInField(e, kind, el, press) {
    if (e.key === 'Enter') {
      const severalLines = kind === 'editor' || el.localName === 'textarea';
      return severalLines ? ifHandled(e, press) : press();
    }
    if (e.key === 'Escape' || e.key === 'Tab') return press();
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      const what = on(el);
      if (what && what.suggests) press();
    }
  }

  // staysOn reports whether a pointer is on an element that lies where it lay.
  const staysOn = (el, was, { clientX: x, clientY: y }) => {
    const is = el.getBoundingClientRect();
    return Math.hypot(is.x - was.x, is.y - was.y) < FAR && x >= is.left && x <= is.right && y >= is.top && y <= is.bottom;
  };

  // veil keeps an element until it is known whether a closed shadow root of it has the focus.
  const veils = new Map();
  let veilCount = 0;
  const veil = (el) => {
    veils.set(++veilCount, el);
    return veilCount;
  };
  globalThis.assayVeiled = (n) => {
    const el = veils.get(n);
    veils.delete(n);
    return el;
  };

  const isTextChosen = () => {
    const chosen = document.getSelection();
    return !!chosen && !chosen.isCollapsed;
  };

  // ifHandled tells of an event once the page has kept the browser from what it does by itself.
  function ifHandled(e, tell) {
    setTimeout(() => e.defaultPrevented && tell());
  }

  const heard = (e) => {
    if (!e.isTrusted) return;
    try {
      handlers[e.type](e);
    } catch (err) {
      say('failed', { why: String(err) });
    }
  };
  const listen = () => Object.keys(handlers).forEach((type) => globalThis.addEventListener(type, heard, { capture: true, passive: true }));
  listen();

  let told = 0, due = false;
  const stir = () => {
    due = false;
    told = performance.now();
    say('stir', {});
  };
  new MutationObserver((records) => {
    for (const r of records) {
      if (r.target === document) listen(); // document.open takes all listeners away
      if (r.attributeName === 'type' && r.oldValue === 'password') secrets.add(r.target);
    }
    if (due) return;
    due = true;
    setTimeout(stir, Math.max(0, told + STIRS_EVERY - performance.now()));
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true });

  globalThis.assaySeen = () => JSON.stringify({ ...page().seenLines(), frames: page().framesAround() });
  globalThis.assayFrame = (el) => JSON.stringify(page().frameAround(el));
}
