const writings: any = {};
// writing returns how a language writes numbers, by Intl and the tables: its marks of decimals, and words for powers of ten.
function writing(lang: string): any {
  const tag = lang.trim().replaceAll('_', '-');
  if (writings[tag]) return writings[tag];
  const w: any = { known: false, point: '', ofMoney: '', behind: new Map(), beside: new Map(), front: new Map(), around: [], months: new Set(tables.months), days: new Set(), parts: new Set(), times: new Set(), phrases: new Set() };
  const add = (to: any, word: string, power: number) => {
    for (const k of new Set([key(word), ...(letters(word) > 2 ? [key(word).toLowerCase()] : [])])) if (k) to.set(k, [...new Set([...(to.get(k) ?? []), power])]);
  };
  try {
    w.known = tag !== '' && Intl.NumberFormat.supportedLocalesOf([tag]).length > 0;
  } catch {
    w.known = false; // it is no language tag
  }
  const mark = (o: any) => ['latn', undefined].map((numberingSystem) => new Intl.NumberFormat(tag, { ...o, numberingSystem }).formatToParts(1.5).find((p) => p.type === 'decimal')?.value ?? '').find((m) => m === '.' || m === ',') ?? '';
  if (w.known) {
    [w.point, w.ofMoney] = [mark({}), mark({ style: 'currency', currency: 'EUR' })];
    for (const month of ['long', 'short'] as const) for (const [day, year] of [[], ['numeric'], ['numeric', 'numeric']] as any) for (let m = 0; m < 12; m++) {
      const p: any = new Intl.DateTimeFormat(tag, { month, day, year, timeZone: 'UTC' }).formatToParts(Date.UTC(2026, m, 5)), types = p.map((x: any) => x.type), at = types.indexOf('month'), name = p[at].value, from = types.slice(0, at).lastIndexOf('day');
      for (const ending of ['', p[at + 1]?.value.match(/^[\p{L}\p{M}]+/u)?.[0] ?? '']) for (const part of plain(name + ending).toLowerCase().split(/[ \u00a0]+/)) if (!/\d/.test(part)) w.months.add(monthKey(part));
      const behind = plain(p.slice(from + 1, at).map((x: any) => x.value).join('') + (/\p{Nd}/u.test(name) ? '#' : name.replace(/[^\s’']+$/u, '{m}'))).trim().toLowerCase();
      if (from >= 0 && behind !== '{m}' && behind !== '. {m}') w.days.add(behind);
    }
    timesOf(w, tag);
    for (const compactDisplay of ['short', 'long'] as const) {
      const format = new Intl.NumberFormat(tag, { notation: 'compact', compactDisplay, numberingSystem: 'latn', maximumFractionDigits: 1 } as any);
      for (let p = 3; p <= 14; p++) for (const amount of [1, 1.2, 2, 3, 5]) {
        const parts = format.formatToParts(amount * 10 ** p), isDigits = (x: any) => /integer|group|decimal|fraction/.test(x.type);
        const first = parts.findIndex(isDigits), end = parts.length - [...parts].reverse().findIndex(isDigits);
        if (first < 0 || !parts.some((x) => (x.type as string) === 'compact')) continue;
        const text = (from: any, to: any) => parts.slice(from, to).map((x) => x.value).join('').trim();
        const digits = parts.slice(first, end).filter((x) => x.type !== 'group').map((x) => (x.type === 'decimal' ? '.' : x.value)).join('');
        const power = Math.round(Math.log10((amount * 10 ** p) / Number(digits)));
        if (first > 0 && text(0, first)) w.around.push([key(text(0, first)), key(text(end, undefined)), power]);
        else add(w.behind, text(end, undefined), power);
      }
    }
  }
  w.around.sort((a: any, b: any) => b[0].length + b[1].length - a[0].length - a[1].length);
  const own = new Set(w.behind.keys()), primary = tag.toLowerCase().split('-')[0];
  for (const [word, powers, langs] of tables.scales as any) {
    if (!(w.known ? langs.includes('*') || langs.includes(primary) : langs.includes('*') || langs.includes('-'))) continue;
    for (const power of powers) {
      if (word.startsWith('¤')) add(w.beside, word.slice(1), power);
      else if (word.endsWith('¤')) add(w.front, word.slice(0, -1), power);
      else if (!own.has(key(word))) add(w.behind, word, power);
    }
  }
  w.longest = Math.max(...[...w.behind.keys(), ...w.beside.keys(), ...w.front.keys()].map((k) => k.length)) + 1;
  return (writings[tag] = w);
}
// timesOf adds the words for times of a language: its parts say of when only beside others, as the last of last month.
function timesOf(w: any, tag: string): any {
  const near = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }), units = ['day', 'week', 'month', 'quarter', 'year'] as any;
  const said = units.flatMap((unit: any) => [-1, 0, 1].map((n) => near.format(n, unit))).map((text: string) => plain(text).toLowerCase().split(/[^\p{L}\p{M}]+/u).filter(Boolean));
  for (const unit of ['hour', ...units.filter((u: any) => u !== 'quarter')]) for (const n of [1, 2, 5]) for (const p of new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' } as any).formatToParts(n) as any) if (p.type === 'unit') for (const word of plain(p.value).toLowerCase().split(/[^\p{L}\p{M}]+/u)) w.times.add(word);
  for (const words of said) w[words.length === 1 ? 'times' : 'phrases'].add(words.join(' '));
  for (const word of said.flat()) if (!w.times.has(word) && !w.months.has(word)) w.parts.add(word);
}
// isPlain tells the signs that leave a figure as it is: what encloses it, ends a clause, or is drawn as an icon.
function isPlain(r: string): boolean {
  return tables.plain.includes(r) || /[ \u00a0\ufe0f\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Co}]/u.test(r) || (/\p{Terminal_Punctuation}/u.test(r) && !/\p{Sentence_Terminal}/u.test(r)) || (/\p{So}/u.test(r) && r !== '°' && r.normalize('NFKC') === r);
}
const monthKey = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{M}]+$/u, '');
const letters = (word: string) => (word.match(/\p{L}/gu) ?? []).length;
const key = (word: string) => plain(word).split(/[ \u00a0]+/).filter(Boolean).join(' ').replace(/\.+$/, '');

// plain writes digits of one script, spaces, signs and marks in their plain forms.
function plain(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9\u1040-\u1049\u17e0-\u17e9\uff10-\uff19]/g, (d) => {
    const c = d.charCodeAt(0);
    return String([0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0, 0xff10].map((zero) => c - zero).find((n) => n >= 0 && n <= 9));
  }).replace(/[\u00a0\u202f\u2009\u2007\u2008\u200a]/g, '\u00a0').replace(/[^\S\u00a0]/g, ' ').replace(/[\u2212\ufe63\uff0d\u2010\u2011\u02d7\u207b\u2796]/g, '-')
    .replace(/[’‘ʼ＇]/g, "'").replace(/，/g, ',').replace(/．/g, '.').replace(/[％٪﹪]/g, '%').replace(/（/g, '(').replace(/）/g, ')').replace(/[＄﹩]/g, '$').replace(/＋/g, '+').replace(/[\p{Cf}\p{Cc}]/gu, '');
}

// digits reads digits whose decimals stand behind point; NaN where they are not written so.
function digits(core: string, point: string): number {
  const arabic = core.includes('٫') ? '٫' : core.includes('٬') && /^[\d٬]+[.,]\d+$/.test(core) ? core.match(/[.,]/)![0] : core.includes('٬') ? ' ' : '';
  const at = core.indexOf(arabic || point), [whole, decimals] = at < 0 ? [core, ''] : [core.slice(0, at), core.slice(at + 1)];
  const parts = whole.split(/\D/), marks = new Set(whole.replace(/\d/g, ''));
  if (/\D/.test(decimals) || marks.size > 1 || core.length > 30) return NaN;
  if (parts.length > 1) {
    const middle = parts.slice(1, -1), last = parts[parts.length - 1].length, of = (n: number) => parts[0].length > 0 && parts[0].length <= n && middle.every((p) => p.length === n);
    if (parts[0] === '0' || last !== 3 || !(of(3) || of(2))) return NaN;
  }
  return Number(parts.join('') + '.' + (decimals || '0'));
}

// figure reads a text with one number, each sign of it; NaN: it has none for sure. whole: it reads so only as an amount without decimals.
function figure(text: string, lang: string, point: string): { value: number; whole: boolean } {
  const none = { value: NaN, whole: false }, w = writing(lang), u: any = tables, given = plain(text), s = /\d/.test(given) ? given : given.replace(/[\u00bc-\u00be\u2150-\u215e\u2189]/u, '0$&');
  const cores = [...s.matchAll(/(?:(?<![\p{L}\p{M}\p{N}.,'٫٬])[.,٫])?\d+(?:[.,'٫٬]\d+|[ \u00a0]\d{3}(?!\d))*/g)];
  if (cores.length !== 1 || /\p{Nd}/u.test(s.replace(/\d/g, '')) || new Set((text.match(/\p{Nd}/gu) ?? []).map((d) => d.codePointAt(0)! >> 4)).size > 1) return none;
  const core = cores[0][0], start = cores[0].index!;
  let before = s.slice(0, start), rest = s.slice(start + core.length), negative = false, money = false, power = 0, scaled = false, unit = false;
  const part = rest.match(/^[ \u00a0]?([\u00bc-\u00be\u2150-\u215e\u2189])/u), [above, below] = (part?.[1].normalize('NFKC') ?? '0\u20441').split('\u2044').map(Number);
  if (part && /\D/.test(core)) return none;
  rest = rest.slice(part?.[0].length ?? 0);
  if (/^\d{4,}[ \u00a0]|[ \u00a0].*[.,'].*[ \u00a0]/.test(core) || /[.,٫٬]$/.test(before)) return none;
  const isMoney = (word: string) => u.money.includes(word) || /^[^¢\P{Sc}]$/u.test(word), sign = (at: string) => [4, 3, 2, 1].find((n) => at.length >= n && isMoney(at.slice(0, n)) && !/\p{L}/u.test(at[n - 1])) ?? 0;
  const moneyNext = (at: string) => {
    const x = at.replace(/^[ \u00a0]/, ''), word = x.match(/^\p{L}[\p{L}\p{M}.]*/u)?.[0] ?? '';
    return sign(x) > 0 || isMoney(word) || isMoney(word.replace(/\.$/, ''));
  };
  const takeAround = () => {
    for (const [head, tail, p] of w.around) {
      const lead = before.replace(/[ \u00a0]$/, ''), next = rest.replace(/^[ \u00a0]/, '');
      if (scaled || !lead.endsWith(head) || /\p{L}$/u.test(lead.slice(0, -head.length)) || !next.startsWith(tail)) continue;
      [scaled, power, before, rest] = [true, p, lead.slice(0, lead.length - head.length), tail ? next.slice(tail.length) : rest];
    }
  };
  takeAround();
  for (let i = 0, signed = false; i < 3; i++) {
    const tight = before.replace(/[ \u00a0]$/, ''), n = money ? undefined : [4, 3, 2, 1].find((x) => x <= tight.length && isMoney(tight.slice(-x)) && !(/^\p{L}/u.test(tight.slice(-x)) && /\p{L}$/u.test(tight.slice(0, -x))));
    if (n) [money, before] = [true, tight.slice(0, -n)];
    else if (/[-–+]$/.test(before) && !signed) {
      [signed, negative, before] = [true, !before.endsWith('+'), before.slice(0, -1)];
      if (!/(^|[ \u00a0(:=])$/.test(before) && ![4, 3, 2, 1].some((x) => x <= before.length && isMoney(before.slice(-x)))) return none;
    } else break;
  }
  takeAround(); // elfu -1,2
  const lead = before.trim(), word = lead.match(/[\p{L}\p{M}.]+$/u)?.[0] ?? '';
  if (/[≈~∼<>≤≥±—–+%▲▼△▽↑↓↗↘⬆⬇\p{Sc}-]$/u.test(lead) || /[\p{L}\p{M}\p{N}#_/.]$/u.test(before) || u.refuse.includes(word.toLowerCase()) || w.months.has(monthKey(word))) return none;
  if (core === '10' && /^[⁰¹²³⁴-⁹]/.test(rest)) return none;
  for (let i = 0; i < 4; i++) {
    const next = rest.replace(/^[ \u00a0]/, ''), spaced = next !== rest, found = scaled || unit || !/^\p{L}/u.test(next) ? undefined : scaleAt(w, next, money, moneyNext);
    const length = sign(next), own = next.match(/^\p{L}[\p{L}\p{M}.]*/u)?.[0] ?? '', bare = own.replace(/\.$/, '');
    if (!money && length) [money, rest] = [true, next.slice(length)];
    else if (/^(CR|DR)(?!\p{L})/u.test(next)) return none;
    else if (found) {
      const name = next.slice(0, found.length);
      if (found.powers.length > 1 || ((found.length === 1 || !w.known) && u.units.includes(name.replace(/\.$/, '')) && !money && !moneyNext(next.slice(found.length)))) return none;
      [scaled, power, rest] = [true, found.powers[0], next.slice(found.length)];
    } else if (!money && (isMoney(own) || isMoney(bare))) [money, rest] = [true, next.slice(isMoney(own) ? own.length : bare.length)];
    else if (/^[%‰]/.test(next) && !unit && !/^%-/.test(next)) [unit, rest] = [true, next.slice(1)];
    else if (own && u.shares.includes(bare.toLowerCase()) && !unit) [unit, rest] = [true, next.slice(bare.length)];
    else if (/^\+/.test(rest)) return none;
    else if (/^-($|[ \u00a0])/.test(rest) && !negative && (rest.length === 1 || isMoney(rest.slice(2).trim()))) [negative, rest] = [true, rest.slice(1)];
    else if (own && !spaced && !unit && isUnit(bare)) [unit, rest] = [true, next.slice(own.length)];
    else if (own && (!spaced || (w.months.has(monthKey(bare)) || w.months.has(next.match(/^(?:of|von|sur|de|di|su|van|z|ze|av|af|из)[ \u00a0]+(\p{L}[\p{L}\p{M}]*)/iu)?.[1].toLowerCase())))) return none;
    else break;
  }
  if (w.months.has(rest.match(/^\.[ \u00a0]?(\p{L}[\p{L}\p{M}]*)/u)?.[1].toLowerCase())) return none; // 21. November
  for (const day of w.days) {
    const head = day.replace(/\s*(?:\{m\}|#)$/, ''), behind = rest.trim().toLowerCase(), name = behind.slice(head.length).trim().match(/^\p{L}[\p{L}\p{M}.]*/u)?.[0] ?? '';
    if (behind.startsWith(head) && w.months.has(monthKey(name))) return none;
  }
  const words = [...before + ' ' + rest].map((r) => (isPlain(r) ? ' ' : r)).join('').toLowerCase().split(' ').filter(Boolean);
  if (words.some((x) => !/\p{L}/u.test(x) && !u.units.includes(x)) || (words.some((x) => w.parts.has(x)) && !words.some((x) => w.times.has(x)) && !w.phrases.has(words.join(' ')))) return none;
  if (['"', "'"].some((quote) => rest.startsWith(quote) !== before.endsWith(quote) && !(rest.startsWith(quote) ? before : rest).includes(quote))) return none;
  if (/^[\p{L}\p{M}\p{N}.,']*[\p{L}\p{N}]/u.test(rest) && !/^[⁰¹²³⁴-⁹]/.test(rest) || /^[-–—]/.test(rest)) return none;
  if (/\($/.test(before) && /^\)/.test(rest)) {
    const [head, tail] = [before.slice(0, -1).trim(), rest.slice(1).trim()];
    if ((head && !isMoney(head) && !head.endsWith(':')) || (tail && !isMoney(tail))) return none;
    negative = true;
  }
  const value = digits(core, (money && w.ofMoney) || point || w.point) + above / below;
  const whole = money && !scaled && !/^[ \u00a0]?\//.test(rest) && !u.minor.some((code: string) => s.includes(code)) && /^[1-9]\d{0,2}[.,]\d{3}$/.test(core);
  return { value: ((negative ? -1 : 1) * value) * 10 ** power, whole };
}

// scaleAt returns the longest word for powers of ten that a text begins with.
function scaleAt(w: any, text: string, money: any, moneyNext: any): any {
  const look = (from: any, word: string) => from.get(word) ?? (letters(word) > 2 ? from.get(word.toLowerCase()) : undefined) ?? [];
  for (let n = Math.min(w.longest, text.length); n > 0; n--) {
    const word = key(text.slice(0, n)), paid = moneyNext(text.slice(n));
    const powers = [...new Set([...look(w.behind, word), ...(money || paid ? look(w.beside, word) : []), ...(paid ? look(w.front, word) : [])])];
    const ends = !/^[\p{L}\p{M}]/u.test(text.slice(n)) || (/[\p{Script=Han}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u.test(text.slice(0, n)) && !/^\p{M}/u.test(text.slice(n))) || paid;
    if (word && powers.length && ends && !/[ \u00a0]$/.test(text.slice(0, n))) return { powers, length: n };
  }
  return undefined;
}

function isUnit(word: string): boolean {
  const has = (x: string) => (tables.units as string[]).includes(x) && !/^[OolISZΟοΙιОоЗзІіӀӏБбıƖǀ]+$/.test(word);
  if (word.length === 1) return has(word) && word !== 'm';
  return has(word.toLowerCase()) && !(word.length === 2 && word !== word.toLowerCase() && word.endsWith('M') && word !== word.toUpperCase());
}

// figures reads texts in each way that their language leaves open: one, or two where none is declared.
function figures(texts: string[], lang: string): number[][] {
  const w = writing(lang);
  if (w.point) return [texts.map((t) => figure(t, lang, '').value)];
  const ways = ['.', ','].map((point) => texts.map((t) => ({ ...figure(t, lang, point), at: point, text: t })));
  const fits = ways.filter((way) => way.every((n) => !Number.isNaN(n.value) && !(n.whole && plain(n.text).includes(n.at))));
  return (fits.length ? fits : ways.slice(0, 1).map((way) => way.map((n) => ({ ...n, value: NaN })))).map((way) => way.map((n) => n.value));
}
