// How numbers and times read: as the page's language writes them, and UTC like
// the data.

import { hooks } from './hooks.js';

const { lang, dataset } = document.documentElement;
const { currency } = hooks;
const rounded = dataset.figures === 'rounded' ? { notation: 'compact', maximumFractionDigits: 1, minimumFractionDigits: 0 } : {};
const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

const money = new Intl.NumberFormat(lang, { style: 'currency', currency });
const roundMoney = new Intl.NumberFormat(lang, { style: 'currency', currency, ...rounded });
const count = new Intl.NumberFormat(lang, { maximumFractionDigits: 0, ...rounded });
const percent = new Intl.NumberFormat(lang, { style: 'percent', ...two, ...rounded });
const short = new Intl.NumberFormat(lang, { style: 'currency', currency, notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat(lang, {
  month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC',
});

export const usd = (value) => money.format(value);
export const axisUSD = (value) => short.format(value);
export const when = (iso) => moment.format(new Date(iso));

// kpi writes a value of /api/kpi in its unit.
export function kpi({ value, unit }) {
  switch (unit) {
    case 'USD': return roundMoney.format(value);
    case 'percent': return percent.format(value / 100);
    default: return count.format(value);
  }
}
