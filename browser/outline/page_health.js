// What the health of a page is judged by: every text with where it stands, and what else is drawn, waits, or lies over it. Whether that is
// broken is decided elsewhere.

const MAX_HEALTH_NODES = 50000;
const MAX_HEALTH_TEXTS = 3000; // beyond it, only those that look like a fault
const MAX_HEALTH_FRAMES = 200;
const MAX_HEALTH_LIST = 50;
const MAX_SAMPLES = 60; // texts and controls that are checked for what lies over them
const MAX_ANIMATIONS = 2000;

const contentDocumentOf = (el) => Object.getOwnPropertyDescriptor((localName(el) === 'frame' ? HTMLFrameElement : HTMLIFrameElement).prototype, 'contentDocument').get.call(el);
const naturalWidthOf = getter(HTMLImageElement.prototype, 'naturalWidth');
const titleText = getter(Document.prototype, 'title');
const typeOfDocument = getter(Document.prototype, 'contentType');
const linkSheet = getter(HTMLLinkElement.prototype, 'sheet');
const hrefOf = getter(HTMLLinkElement.prototype, 'href');
const sheetRules = getter(CSSStyleSheet.prototype, 'cssRules');

const CODE_TAGS = new Set(['code', 'pre', 'samp', 'kbd', 'tt', 'var', 'xmp', 'plaintext', 'listing']);
const CODE_CLASS = /(^|[\s_-])(code|codehilite|hljs|highlight|prism|codemirror|cm-(content|editor|line)|monaco-editor|ace_(editor|content|line)|syntax|snippet|terminal|xterm|console|stack-?trace|traceback|swagger-ui|json-?(view|tree)\w*)(?=$|[\s_-])|(^|\s)language-/i;
const USER_CLASS = /(^|[\s_-])(comments?|chat|reviews?|ugc|user-content|markdown-body|forum|post-(body|content)|mail-(body|content)|email-(body|content|preview)|message-(body|content|text))(?=$|[\s_-])/i;
const ERROR_CLASS = /(^|[\s_-])(error|invalid-feedback|help-block|validation|form-error)(?=$|[\s_-])/i;
const SUSPECT = new RegExp('\\{\\{|\\{%|\\$\\{|<%|%\\d*\\$?[sdif@]|\\bundefined\\b|NaN|\\bnull\\b|Infinity|\\[object|nvalid [Dd]ate|native code|[\\u00C2\\u00C3\\u00E2\\u00D0\\u00D1\\u00EF\\u00C5\\u00C4\\u00CE\\u00CF\\uFFFD]|' +
  '\\u0420[^\\s]|ranslation|\\bat .*:\\d+|Traceback|Exception|rror:|goroutine|SQL|\\bline \\d+|^[A-Za-z][\\w-]*(\\.[\\w-]+)+$|&(amp|lt|gt|quot|nbsp|#\\d+);|\\{\\w+\\}|__MSG_|\\[\\[');
const WAIT_CLASS = /(^|[\s_-])(spinners?|loaders?|loading|preloaders?|lds-\w+|sk-\w+|throbber|busy|indeterminate|circular-?progress|spin|fa-spin|animate-spin)(?=$|[\s_-])|spinner|CircularProgress/i;
const BONE_CLASS = /(^|[\s_-])(skeletons?|shimmer\w*|placeholder-(glow|wave|shimmer|loading)|bone|ghost-(line|box|loading)|content-loader|ph-item|animate-pulse)(?=$|[\s_-])|Skeleton/;
const WAIT_PICTURE = /(spinner|loading|loader|ajax-load)[^/]*\.(gif|svg|png|webp|apng)/i;
const OVERLAYS = ['vite-error-overlay', 'nextjs-portal', 'react-error-overlay', 'astro-dev-overlay', 'nuxt-error-overlay'];
const NO_VALUES = new Set(['undefined', 'NaN', 'null']);
const DRAWS = new Set(['canvas', 'video', 'iframe', 'frame', 'object', 'embed']);
const CONTROL_TAGS = new Set(['button', 'input', 'select', 'textarea', 'summary']);

// A form that asks for a new password signs somebody up, or changes the password: it says so, or asks for it twice. Fields outside of forms are one.
const asksForNew = (el) => {
  const form = Element.prototype.closest.call(el, 'form');
  if (/(?:^|\s)new-password\s*$/i.test(attr(el, 'autocomplete') || '')) return true;
  const all = Element.prototype.querySelectorAll.call(form || el.ownerDocument.documentElement, 'input[type=password i]');
  return [...all].filter((other) => Element.prototype.closest.call(other, 'form') === form).length > 1;
};

// asksForPassword says how sure it is that a password belongs into a field that shows what is typed: by what the field declares of itself, or only
// by what it is called.
const asksForPassword = (el) => {
  if (tagOf(el) !== 'input' || !/^(text|search|tel|email|url|)$/.test(inputType(el) || '')) return '';
  if (/^(current|new)-password$/.test((attr(el, 'autocomplete') || '').trim().split(/\s+/).at(-1).toLowerCase())) return 'declared';
  const labels = labelsOf(el).map((label) => textContent(label)).join(' ');
  return [attr(el, 'name'), attr(el, 'id'), attr(el, 'aria-label'), attr(el, 'placeholder'), labels].some((text) => PASSWORD.test(tidy(text || ''))) ? 'called' : '';
};

// PASSWORD is what such a field is called, and no more than that: a question about a password has further words.
const PASSWORD = /^\W*(?:\S+ )?(?:(?:current|new|old|confirm|repeat|user|login|your)?[\s_-]?(?:password|passwd|pwd)|passwort|kennwort|mot de passe|contraseña|clave de acceso|senha|palavra-passe|wachtwoord|hasło|пароль|lösenord|adgangskode|passord|salasana|heslo|jelszó|parolă?|şifre|κωδικός πρόσβασης|密码|密碼|パスワード|비밀번호|mật khẩu)\W*$/iu;

const SHOWS = 'button, [role=button], [role=switch], [role=checkbox], input[type=checkbox], svg';

// canBeHidden reports whether a control stands beside the field: it may show and hide what is typed.
const canBeHidden = (el) => {
  const around = parentOf(el), field = around && tagOf(around) === 'label' ? around : el;
  if ([prevElement(field), nextElement(field)].some((beside) => beside && matches(beside, SHOWS) && inputType(beside) !== 'submit')) return true;
  return !!around && tagOf(around) !== 'form' && tagOf(around) !== 'body' && allIn(around, SHOWS).length > 0;
};

// sheetsOf lists the style sheets that a document links and that count now: how many rules each has, -1 where only its own site may know.
function sheetsOf(doc, win) {
  const out = [];
  for (const el of [...allIn(doc, 'link[rel~=stylesheet i][href]')].slice(0, MAX_HEALTH_LIST)) {
    const media = attr(el, 'media'), sheet = linkSheet(el);
    if (/(^|\s)alternate(\s|$)/i.test(attr(el, 'rel')) || hasAttr(el, 'disabled') || (media && !win.matchMedia(media).matches)) continue;
    let rules = 0;
    try {
      rules = sheet ? sheetRules(sheet).length : 0;
    } catch {
      rules = -1;
    }
    out.push({ u: hrefOf(el).slice(0, 300), n: rules });
  }
  return out;
}

// ownRules counts the rules of a document's own style elements and adopted sheets.
const ownRules = (doc) => [...documentSheets(doc), ...adopted(doc).get.call(doc)].filter((s) => !s.href && !s.disabled).reduce((n, s) => n + sheetRules(s).length, 0);

// emptyScripts lists the scripts that a page asked for and that came empty, where it has no other: beside others, one may be empty by design.
function emptyScripts(doc) {
  const scripts = [...allIn(doc, 'script')].filter((el) => isHTML(el) && /^$|javascript|ecmascript|^module$/i.test((attr(el, 'type') || '').trim()) && !hasAttr(el, 'nomodule'));
  if (scripts.some((el) => !hasAttr(el, 'src') && /\S/.test(textContent(el)))) return [];
  const asked = scripts.filter((el) => hasAttr(el, 'src')).map((el) => sourceOf(el));
  const came = new Set(performance.getEntriesByType('resource').filter((r) => r.responseStatus === 200 && r.decodedBodySize === 0).map((r) => r.name));
  return asked.every((url) => came.has(url.split('#')[0])) ? asked.slice(0, MAX_HEALTH_LIST).map((url) => ({ u: url.slice(0, 300) })) : [];
}
const sourceOf = getter(HTMLScriptElement.prototype, 'src');

// badFonts lists the families of fonts that came and can't be used.
const badFonts = (doc) => {
  const out = new Set();
  const fonts = fontsOf(doc); // its interface has a name in newer browsers alone
  Object.getPrototypeOf(fonts).forEach.call(fonts, (face) => face.status === 'error' && out.add(face.family.replace(/^["']|["']$/g, '')));
  return [...out].slice(0, MAX_HEALTH_LIST);
};

// widestBeyond returns what makes a page wider than its window, where a person has to scroll it sideways to read it; null where nothing does, or
// what is wide by its nature: tables, code, drawings and pictures.
const BARS = 20; // px that a scroll bar takes: a page of 100vw is wider by it
function widestBeyond(doc, win) {
  const page = rootElement(doc), body = bodyOf(doc);
  const beyond = clientWidthOf(page) + BARS;
  if (!body || scrollWidthOf(page) <= beyond || [page, body].some((el) => /hidden|clip/.test(styleOf(el).overflowX))) return null;
  let widest = null, right = beyond - win.scrollX;
  const visit = (el, depth) => {
    if (depth > MAX_DEPTH || !shownHere(el)) return;
    const box = frontBox(el);
    if (box.x + box.w > right) [widest, right] = [el, box.x + box.w];
    if (!/visible/.test(styleOf(el).overflowX)) return; // what is wider scrolls in it
    for (const child of flatChildren(el)) if (nodeType(child) === 1) visit(child, depth + 1);
  };
  visit(body, 0);
  if (!widest) return null;
  for (let up = widest; up; up = flatParent(up)) if (WIDE.has(tagOf(up)) || /^(table|grid|treegrid)$/.test(attr(up, 'role') || '')) return null;
  return { s: cssPath(widest), k: String(Math.round(right + win.scrollX - clientWidthOf(page))) };
}
const WIDE = new Set(['table', 'pre', 'canvas', 'svg', 'img', 'video', 'iframe', 'object', 'embed', 'textarea', 'math']);

const sizeOfBox = (b) => Math.max(0, b.w) * Math.max(0, b.h);
const common = (a, b) => {
  const x = Math.max(a.x, b.x), y = Math.max(a.y, b.y);
  return { x, y, w: Math.min(a.x + a.w, b.x + b.w) - x, h: Math.min(a.y + a.h, b.y + b.h) - y };
};
const asBox = (r) => ({ x: r.x, y: r.y, w: r.width, h: r.height });
const frontBox = (el) => asBox(Element.prototype.getBoundingClientRect.call(el));
const textBox = (range) => asBox(Range.prototype.getBoundingClientRect.call(range));
const opaqueness = (color) => {
  if (color === 'transparent') return 0;
  const found = /[,/]\s*([\d.]+%?)\s*\)$/.exec(color);
  if (!found || (!color.includes('/') && !/^(rgba|hsla)/.test(color))) return 1;
  return found[1].endsWith('%') ? parseFloat(found[1]) / 100 : parseFloat(found[1]);
};

// shownHere reports whether a person can see an element's ink, by the cheap rules. It is the one place that decides it for this file.
const shownHere = (el) => Element.prototype.checkVisibility.call(el, { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });

// inReach reports whether a box can be seen, or scrolled to: box is in the viewport's pixels, clip is what its surroundings leave of it.
function inReach(box, clip, win) {
  if (box.w < 1 || box.h < 1) return false;
  if (box.x + box.w + win.scrollX <= 0 || box.y + box.h + win.scrollY <= 0) return false;
  if (!clip) return true;
  const left = common(box, clip);
  return left.w > 1 && left.h > 1;
}

// healthWalk performs one reading of a document and what is in it.
class healthWalk {
  constructor(doc, found, depth) {
    Object.assign(this, { doc, found, depth, win: windowOf(doc), run: null, runs: [], samples: [], holders: new Map() });
    this.view = { x: 0, y: 0, w: this.win.innerWidth, h: this.win.innerHeight };
    this.secret = new Set(secretElements(doc, found.values));
  }

  visit(el, at) {
    const { found } = this, tag = tagOf(el);
    if (IGNORED.has(tag) || tag === 'head') return;
    if (++found.nodes > MAX_HEALTH_NODES || at.depth > MAX_DEPTH) return void (found.capped = true);
    const style = styleOf(el);
    if (style.display === 'none') return;
    if (OVERLAYS.includes(tag) && !found.overlays.includes(tag)) found.overlays.push(tag);
    const inner = this.around(el, tag, style, at);
    const boxless = style.display === 'contents' || tag === 'slot';
    const breaks = at.svg ? tag === 'text' : !boxless && !INLINE.has(style.display);
    if (breaks || tag === 'br') this.endRun();
    if (!boxless) this.meetElement(el, tag, style, inner);
    if (this.found.icons.length < MAX_ICONS && shownHere(el)) this.found.icons.push(...iconsOf(el, tag));
    if (tag === 'iframe' || tag === 'frame') this.frame(el, inner);
    else if (!OPAQUE.has(tag) && tag !== 'select') this.children(el, tag, inner);
    if (breaks) this.endRun();
  }

  children(el, tag, at) {
    const closed = tag === 'details' && !hasAttr(el, 'open');
    for (const child of flatChildren(el)) {
      if (nodeType(child) === 3) {
        if (!closed && (!at.svg || at.inText)) this.text(child, el, at);
      } else if (!closed || tagOf(child) === 'summary') this.visit(child, at);
    }
  }

  // around returns what an element is to what stands in it.
  around(el, tag, style, at) {
    const inner = { ...at, depth: at.depth + 1, el };
    const named = (attr(el, 'class') || '') + ' ' + (attr(el, 'id') || '');
    const whole = tag === 'body' || tag === 'main' || tag === 'html';
    if (CODE_TAGS.has(tag) || (!whole && CODE_CLASS.test(named)) || attr(el, 'role') === 'log') inner.code = true;
    if (tag === 'pre') inner.pre = true;
    if (CODE_TAGS.has(tag)) this.found.codes++;
    const editable = attr(el, 'contenteditable');
    if (tag === 'textarea' || attr(el, 'role') === 'textbox' || (editable !== null && editable !== 'false') || this.doc.designMode === 'on') inner.edit = true;
    if (tag === 'blockquote' || tag === 'q' || (!whole && USER_CLASS.test(named))) inner.user = true;
    if (attr(el, 'role') === 'alert' || ERROR_CLASS.test(named)) inner.alert = true;
    if (tag === 'p' || tag === 'li' || tag === 'article') inner.prose = true;
    if (tag === 'td' || tag === 'th') inner.cell = true;
    if (/^h[1-6]$/.test(tag)) inner.level = Number(tag[1]);
    else if (attr(el, 'role') === 'heading') inner.level = Number(attr(el, 'aria-level')) || 2;
    if (tag === 'a' || tag === 'button' || attr(el, 'role') === 'button') inner.control = tag === 'a' ? 'link' : 'button';
    if (tag === 'svg') Object.assign(inner, { svg: true, inText: false });
    if (at.svg && tag === 'text') inner.inText = true;
    if (this.secret.has(el)) inner.secret = true;
    if (!at.svg && !whole && !INLINE.has(style.display) && (style.overflowX === 'hidden' || style.overflowX === 'clip' || style.overflowY === 'hidden' || style.overflowY === 'clip')) {
      const box = frontBox(el);
      inner.clip = at.clip ? common(at.clip, box) : box;
    }
    if (style.position === 'fixed') inner.clip = null;
    return inner;
  }

  // text lets a run grow: what stands in a block without a break is one text.
  text(node, parent, at) {
    const words = nodeValue(node);
    this.found.nodes++;
    if (!/\S/.test(words)) {
      if (this.run) this.run.words += ' ';
      return;
    }
    if (!shownHere(parent) || opaqueness(styleOf(parent).color) === 0 && !at.svg) return;
    const aside = !!(at.code || at.edit); // a piece of code within a sentence is none of its words
    if (!this.run) this.run = { words: '', nodes: [], at, el: parent, own: [], aside };
    const run = this.run;
    run.nodes.push(node);
    if (run.aside && !aside) Object.assign(run, { aside: false, at, words: '`' });
    if (aside && !run.aside) return void (run.words += '`');
    const token = words.trim();
    if (!aside && NO_VALUES.has(token) && tidy(textContent(parent)) === token) run.own.push(token);
    run.words += words;
  }

  endRun() {
    const run = this.run, { found } = this;
    this.run = null;
    if (!run) return;
    const t = tidy(run.words), at = run.at;
    if (!t || at.secret) return;
    const range = newRange(this.doc), last = run.nodes.at(-1);
    range.setStart(run.nodes[0], 0);
    range.setEnd(last, nodeValue(last).length);
    const box = textBox(range);
    if (!inReach(box, at.clip, this.win)) return;
    found.words += t.length;
    if (this.depth === 0 && this.runs.length < MAX_HEALTH_TEXTS) this.runs.push({ el: run.el, y: box.y, n: t.length });
    if (PRIVATE.test(t) && found.icons.length < MAX_ICONS) found.icons.push({ el: run.el, text: t });
    const suspect = SUSPECT.test(t) || SUSPECT.test(run.words);
    this.sample(run.el, box, at);
    for (const el of this.path(run.el)) this.holders.set(el, (this.holders.get(el) || 0) + t.length);
    if (found.texts.length >= MAX_HEALTH_TEXTS && !(suspect && found.suspects++ < MAX_HEALTH_TEXTS)) return void (found.capped = true);
    const where = ['code', 'pre', 'edit', 'user', 'alert', 'prose', 'cell'].filter((key) => at[key]);
    if (at.control) where.push(at.control);
    const text = { t: t.slice(0, at.pre ? 4000 : 600), g: tagOf(run.el), h: at.level || 0, f: Math.round(parseFloat(styleOf(run.el).fontSize)) || 0, w: where.join(' ') };
    if (run.own.length) text.o = run.own;
    if (suspect || at.level) text.s = found.prefix + cssPath(run.el);
    found.texts.push(text);
  }

  path(el) {
    const out = [];
    for (let up = el; up && out.length < MAX_DEPTH; up = flatParent(up)) out.push(up);
    return out;
  }

  sample(el, box, at) {
    const seen = common(at.clip ? common(box, at.clip) : box, this.view);
    if (this.depth === 0 && seen.w > 1 && seen.h > 1) this.samples.push({ el, x: seen.x + seen.w / 2, y: seen.y + seen.h / 2 });
  }

  // meetElement notes what is drawn beside text.
  meetElement(el, tag, style, at) {
    const { found } = this;
    const control = CONTROL_TAGS.has(tag) && inputType(el) !== 'hidden';
    const named = (attr(el, 'class') || '') + ' ' + (attr(el, 'id') || '');
    const waits = WAIT_CLASS.test(named) || BONE_CLASS.test(named) || attr(el, 'role') === 'progressbar' || tag === 'progress' || attr(el, 'aria-busy') === 'true';
    const dialog = tag === 'dialog' || /^(alert)?dialog$/.test(attr(el, 'role') || '');
    const draws = DRAWS.has(tag) || tag === 'img' || (tag === 'svg' && !this.inSVG(el));
    if (!control && !waits && !dialog && !draws && style.backgroundImage === 'none') return;
    if (!shownHere(el)) return;
    const box = frontBox(el);
    if (tag === 'img' && isHTML(el)) this.image(el, box, at);
    if (!inReach(box, at.clip, this.win)) return;
    if (waits && !at.svg) this.waiting.push({ el, named, box });
    if (draws) {
      found.drawn++;
      if (sizeOfBox(common(box, this.view)) < 1) found.below++;
      if (tag === 'canvas') found.canvases++;
      for (const up of this.path(el)) if (sizeOfBox(box) >= sizeOfBox(this.view) / 10 && tag !== 'svg') this.holders.set(up, (this.holders.get(up) || 0) + 1);
    }
    if (control) {
      found.controls++;
      this.sample(el, box, at);
      for (const up of this.path(el)) this.holders.set(up, (this.holders.get(up) || 0) + 1);
      if (inputType(el) === 'password') {
        found.passwords++;
        if (asksForNew(el)) found.newPasswords++;
      } else if (asksForPassword(el) && style.webkitTextSecurity === 'none' && found.open.length < MAX_HEALTH_LIST) {
        found.open.push({ s: found.prefix + cssPath(el), k: asksForPassword(el) === 'declared' && !canBeHidden(el) ? 'open' : 'shown' });
      }
    }
    if (dialog && this.depth === 0) this.dialog(el, box);
    if (style.backgroundImage !== 'none' && tag !== 'html' && tag !== 'body') found.backgrounds++;
  }

  inSVG(el) {
    const parent = parentOf(el);
    return !!parent && isSVG(parent);
  }

  image(el, box, at) {
    const { found } = this;
    const source = attr(el, 'src'), current = currentSource(el);
    if (WAIT_PICTURE.test(current) && inReach(box, at.clip, this.win)) this.waiting.push({ el, named: 'spinner', box });
    if (found.images.length >= MAX_HEALTH_LIST) return;
    const empty = !current && !hasAttr(el, 'srcset') && (source === null ? !attributeNames(el).some((n) => n.startsWith('data-') || n.startsWith(':') || n.startsWith('v-')) : source.trim() === '' || source.trim() === '#');
    const broken = !!current && complete(el) && naturalWidthOf(el) === 0;
    if (empty || broken) found.images.push({ s: found.prefix + cssPath(el), u: current.slice(0, 300), k: empty ? 'empty' : 'broken' });
  }

  frame(el, at) {
    const { found } = this;
    if (++found.frameCount > MAX_HEALTH_FRAMES || this.depth >= 5) return void (found.capped = true);
    if (!shownHere(el)) return;
    const box = frontBox(el);
    if (box.w < 5 || box.h < 5 || !inReach(box, at.clip, this.win)) return;
    let doc = null;
    try {
      doc = contentDocumentOf(el);
    } catch {}
    if (attr(el, 'src') === '' && !hasAttr(el, 'srcdoc')) found.frames.push({ s: found.prefix + cssPath(el), k: 'empty' });
    if (!doc || !rootElement(doc)) {
      found.unread++;
      return;
    }
    const outer = found.prefix;
    found.prefix = outer + cssPath(el) + ' >> ';
    try {
      new healthWalk(doc, found, this.depth + 1).read();
    } catch {
      found.unread++;
    }
    found.prefix = outer;
  }

  dialog(el, box) {
    if (matches(el, ':modal')) return void (this.found.dialog = { s: cssPath(el), t: tidy(textContent(el)).slice(0, 120) });
    const seen = common(box, this.view), middle = topmostAt(this.doc, this.view.w / 2, this.view.h / 2);
    if (sizeOfBox(seen) < sizeOfBox(this.view) / 50 || !middle || !this.path(middle).includes(el)) return;
    if (attr(el, 'aria-modal') !== 'true' && styleOf(el).position !== 'fixed') return;
    this.found.dialog = { s: cssPath(el), t: tidy(textContent(el)).slice(0, 120) };
  }

  // cover finds the one element that lies over all that could be read or used in the viewport.
  cover() {
    const step = Math.max(1, Math.floor(this.samples.length / MAX_SAMPLES));
    let over = null;
    for (let i = 0; i < this.samples.length; i += step) {
      const { el, x, y } = this.samples[i], hit = topmostAt(this.doc, x, y);
      if (!hit) return null;
      const mine = new Set(this.path(el)), path = this.path(hit);
      if (mine.has(hit) || path.includes(el)) return null;
      let top = hit;
      for (const up of path) {
        if (mine.has(up)) break;
        top = up;
      }
      if (over && over !== top) return null;
      over = top;
    }
    if (!over || this.holders.get(over)) return null;
    over = [over, ...allIn(over, '*')].slice(0, 200).find((el) => sizeOfBox(common(frontBox(el), this.view)) >= 0.8 * sizeOfBox(this.view));
    if (!over) return null;
    if (allIn(over, 'canvas, video, iframe, object, embed').length || DRAWS.has(tagOf(over))) return null;
    const style = styleOf(over);
    const opaque = opaqueness(style.backgroundColor) * Number(style.opacity) > 0.95;
    return { s: cssPath(over), o: opaque, n: this.samples.length, k: this.waiting.some((w) => w.el === over || this.path(w.el).includes(over)) };
  }

  // waits returns what waits, with how much of the viewport has nothing but it.
  waits() {
    const moving = new Set();
    for (const root of rootsOf(this.doc)) {
      for (const a of animationsOf(root).slice(0, MAX_ANIMATIONS)) {
        if (a.playState === 'running' && a.effect && a.effect.target && !Number.isFinite(a.effect.getComputedTiming().endTime)) moving.add(a.effect.target);
      }
    }
    const moves = (el) => moving.has(el) || [...moving].slice(0, 200).some((m) => this.path(m).includes(el));
    for (const { el, named, box } of this.waiting.slice(0, MAX_HEALTH_LIST * 4)) {
      const bone = BONE_CLASS.test(named), role = attr(el, 'role') === 'progressbar' && !hasAttr(el, 'aria-valuenow');
      const endless = tagOf(el) === 'progress' ? !hasAttr(el, 'value') : role || attr(el, 'aria-busy') === 'true' || tagOf(el) === 'img' || moves(el);
      if (!endless || sizeOfBox(common(box, this.view)) < 16) continue;
      let empty = el;
      for (let up = el; up && tagOf(up) !== 'html' && this.lonely(up); up = flatParent(up)) empty = up;
      const share = sizeOfBox(common(frontBox(empty), this.view)) / Math.max(1, sizeOfBox(this.view));
      if (!this.lonely(el)) continue;
      this.found.waiting.push({ k: bone ? 'skeleton' : 'spinner', s: this.found.prefix + cssPath(el), a: Math.round(share * 1000) / 1000 });
      if (this.found.waiting.length >= MAX_HEALTH_LIST) return;
    }
  }

  // lonely reports whether an element has no words and nothing drawn in it but for a word or two about waiting.
  lonely(el) {
    return (this.holders.get(el) || 0) <= 15;
  }

  read() {
    const root = rootElement(this.doc);
    if (!root) return;
    this.waiting = [];
    this.visit(root, { depth: 0, clip: null });
    this.endRun();
    this.waits();
    if (this.depth === 0) this.found.cover = this.cover();
  }
}

OPS.health = (doc, scope, { values }) => {
  const found = { texts: [], images: [], frames: [], waiting: [], overlays: [], dialog: null, cover: null, nodes: 0, words: 0, codes: 0, drawn: 0, below: 0, canvases: 0,
    controls: 0, passwords: 0, newPasswords: 0, backgrounds: 0, frameCount: 0, unread: 0, suspects: 0, open: [], icons: [], capped: false, prefix: '', values };
  const walk = new healthWalk(doc, found, 0);
  walk.read();
  const root = rootElement(doc);
  const icons = missingGlyphs(doc, found.icons);
  delete found.values;
  delete found.icons;
  return { ...found, sheets: sheetsOf(doc, walk.win), rules: ownRules(doc), fonts: badFonts(doc), wide: widestBeyond(doc, walk.win), glyphs: icons, shift: lateShift(walk.runs, walk.win), scripts: emptyScripts(doc), inView: walk.samples.length, url: walk.win.location.href, title: titleText(doc), lang: (root && attr(root, 'lang')) || '', type: typeOfDocument(doc),
    parser: allIn(doc, 'parsererror').length > 0, ready: doc.readyState, view: [walk.view.w, walk.view.h] };
};
