// How numbers and times read: American English, and UTC like the data.

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat('en-US', {
  month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC',
});

export const usd = (value) => money.format(value);
export const axisUSD = (value) => `$${short.format(value)}`;
export const when = (iso) => moment.format(new Date(iso));

// kpi writes a value of /api/kpi in its unit.
export function kpi({ value, unit }) {
  switch (unit) {
    case 'USD': return usd(value);
    case 'percent': return `${percent.format(value)}%`;
    default: return count.format(value);
  }
}
