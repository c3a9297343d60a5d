// How a language writes numbers, as this browser's own Intl does: its marks, its words for thousands and more, its signs of money, its words
// for times. It is worked out once for each language.

const WRITTEN_MONEY = ['USD', 'EUR', 'GBP', 'JPY', 'CNY', 'INR', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'MXN', 'TWD', 'BRL', 'KRW', 'CHF', 'PLN', 'CZK', 'HUF', 'RON', 'BGN', 'SEK', 'NOK', 'DKK', 'ISK', 'TRY', 'ILS', 'UAH', 'RUB', 'THB', 'VND', 'AED', 'SAR', 'EGP', 'ZAR', 'IDR', 'MYR'];
const WRITTEN_AMOUNTS = [1, 1.2, 2, 3, 5];
const NUMBER_PARTS = new Set(['integer', 'group', 'decimal', 'fraction']);
const TIME_SPANS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];
const writings = new Map();

// writingOf returns the writing of a language tag: { l, d: marks of decimals, e: those of money, s: [before, behind, power], m: [sign, code],
// t: words of times }. A tag that Intl does not know has none of them. A scale that is written without digits, as mille is, has a null behind it.
function writingOf(tag) {
  const lang = tag.trim().replaceAll('_', '-');
  if (!writings.has(lang)) writings.set(lang, lang && intlKnows(lang) ? { l: lang, d: writtenDecimals(lang, {}), e: writtenDecimals(lang, { style: 'currency', currency: 'EUR' }), s: writtenScales(lang), m: writtenMoney(lang), t: [writtenMonths(lang), writtenSpans(lang), writtenPeriods(lang), writtenDays(lang)] } : { l: lang, d: [], e: [], s: [], m: [], t: [[], [], [], []] });
  return writings.get(lang);
}

function intlKnows(lang) {
  try {
    return Intl.NumberFormat.supportedLocalesOf([lang]).length > 0;
  } catch {
    return false; // it is no language tag
  }
}

const numberPart = (format, number, type) => format.formatToParts(number).filter((p) => p.type === type).map((p) => p.value).join('');

function writtenDecimals(lang, options) {
  return [...new Set(['latn', undefined].map((numberingSystem) => numberPart(new Intl.NumberFormat(lang, { ...options, numberingSystem }), 1.5, 'decimal')))];
}

function writtenMoney(lang) {
  return WRITTEN_MONEY.map((currency) => [numberPart(new Intl.NumberFormat(lang, { style: 'currency', currency }), 1, 'currency').trim(), currency]).filter(([sign, code]) => sign !== code);
}

function writtenScales(lang) {
  const found = new Map();
  for (const compactDisplay of ['short', 'long']) {
    const format = new Intl.NumberFormat(lang, { notation: 'compact', compactDisplay, numberingSystem: 'latn', maximumFractionDigits: 1 });
    for (let p = 3; p <= 14; p++) {
      for (const amount of WRITTEN_AMOUNTS) {
        const scale = writtenScale(format.formatToParts(amount * 10 ** p), amount * 10 ** p);
        if (scale) found.set(scale.join('\n'), scale);
      }
    }
  }
  return [...found.values()];
}

// writtenScale returns the words around the digits of a compact number, and the power of ten that they stand for; null where there are none.
function writtenScale(parts, number) {
  const first = parts.findIndex((p) => NUMBER_PARTS.has(p.type)), last = parts.findLastIndex((p) => NUMBER_PARTS.has(p.type));
  if (!parts.some((p) => p.type === 'compact')) return null;
  const text = (from, to) => parts.slice(from, to).map((p) => p.value).join('').trim();
  if (first < 0) return [text(0), null, Math.floor(Math.log10(number))];
  const digits = parts.slice(first, last + 1).filter((p) => p.type !== 'group').map((p) => (p.type === 'decimal' ? '.' : p.value)).join('');
  return [text(0, first), text(last + 1), Math.round(Math.log10(number / Number(digits)))];
}

// wordsOf returns the words of texts, once each, without those that hold a digit.
const wordsOf = (texts) => [...new Set(texts.flatMap((t) => t.toLowerCase().split(/\s+/)))].filter((w) => w && !/\p{Nd}/u.test(w));

// phrasesOf returns texts once each, without their words that hold a digit.
const phrasesOf = (texts) => [...new Set(texts.map((t) => wordsOf([t]).join(' ')))].filter(Boolean);

// writtenMonths returns the names of months, alone and beside a day, with their endings, as the ren of the Basque uztailaren.
function writtenMonths(lang) {
  const days = [...Array(12).keys()].map((m) => Date.UTC(2026, m, 15));
  return wordsOf(['long', 'short'].flatMap((month) => [{}, { day: 'numeric' }].flatMap((day) => {
    const format = new Intl.DateTimeFormat(lang, { ...day, month, timeZone: 'UTC' });
    return days.flatMap((d) => format.formatToParts(d).flatMap((p, i, all) => (p.type === 'month' ? [p.value, p.value + (/^[\p{L}\p{M}]+/u.exec(all[i + 1]?.value ?? '')?.[0] ?? '')] : [])));
  })));
}

// writtenDays returns what stands behind the number of a day before the name of its month, {m}, or its number, #, as de {m} in Spanish.
function writtenDays(lang) {
  const formats = ['long', 'short'].flatMap((month) => [{}, { year: 'numeric' }].map((year) => new Intl.DateTimeFormat(lang, { ...year, day: 'numeric', month, timeZone: 'UTC' })));
  return [...new Set(formats.flatMap((format) => [...Array(12).keys()].map((m) => format.formatToParts(Date.UTC(2026, m, 5)))).flatMap((p) => {
    const month = p.findIndex((x) => x.type === 'month'), name = p[month].value, from = p.slice(0, month).findLastIndex((x) => x.type === 'day');
    const behind = p.slice(from + 1, month).map((x) => x.value).join('') + (/\p{Nd}/u.test(name) ? name.replace(/\p{Nd}+.*/u, '#') : name.replace(/[^\s’']+$/u, '{m}'));
    return from < 0 || ['{m}', '. {m}'].includes(behind.trim()) ? [] : [behind.trim().toLowerCase()];
  }))];
}

// writtenSpans returns what stands beside a number of days, hours and the like.
function writtenSpans(lang) {
  return wordsOf(TIME_SPANS.flatMap((unit) => ['long', 'short'].flatMap((unitDisplay) => {
    const format = new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay, numberingSystem: 'latn' });
    return [1, 2, 5].flatMap((n) => format.formatToParts(n).filter((p) => p.type === 'unit').map((p) => p.value));
  })));
}

// writtenPeriods returns the words for days and for spans of time by now, such as today and last month.
function writtenPeriods(lang) {
  const near = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }), names = new Intl.DisplayNames(lang, { type: 'dateTimeField' });
  const weekday = ['long', 'short'].map((w) => new Intl.DateTimeFormat(lang, { weekday: w, timeZone: 'UTC' }));
  const said = [...['day', 'weekOfYear', 'month', 'quarter', 'year'].map((field) => names.of(field)), ...['day', 'week', 'month', 'quarter', 'year'].flatMap((unit) => [-1, 0, 1].map((n) => near.format(n, unit)))];
  return phrasesOf([...said, ...weekday.flatMap((f) => [1, 2, 3, 4, 5, 6, 7].map((d) => f.format(Date.UTC(2026, 1, d))))]);
}
