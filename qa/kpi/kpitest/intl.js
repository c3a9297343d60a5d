// Run by node behind the script of a page's browser: the writings of languages, and figures as their Intl writes them.
const [langs, values] = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const options = [];
for (const compactDisplay of ['short', 'long']) for (const maximumFractionDigits of [0, 1, 2]) options.push({ notation: 'compact', compactDisplay, maximumFractionDigits });
for (const currency of ['EUR', 'USD']) options.push({ notation: 'compact', style: 'currency', currency });
console.log(JSON.stringify(langs.map((l) => {
  const w = writingOf(l);
  return { writing: { Lang: w.l, Decimals: w.d, OfMoney: w.e, Scales: w.s.map(([Before, Behind, Power]) => ({ Before, Behind: Behind || "", Power, Alone: Behind === null })), Money: w.m.map(([Sign, Code]) => ({ Sign, Code })), Months: w.t[0], Spans: w.t[1], Periods: w.t[2], Days: w.t[3] },
    dates: ['long', 'short'].flatMap((month) => [{}, { year: 'numeric' }, { weekday: 'long' }].flatMap((more) => [...Array(12).keys()].map((m) => new Intl.DateTimeFormat(l, { ...more, day: 'numeric', month, timeZone: 'UTC' }).format(Date.UTC(2026, m, 5))))),
    shown: options.flatMap((o) => { const f = new Intl.NumberFormat(l, o); return (values || []).map((v) => [f.format(v), v, o.style === 'currency' ? '' : o.compactDisplay]); }) };
})));
