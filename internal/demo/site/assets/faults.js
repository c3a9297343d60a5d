// Loaded by the variants with a single fault in the browser, and before
// dashboard.js. Each is described in variants.go; the rest of the page, and the
// API, stay right.

const withCard = (label, change) => ({ kpis }) => ({ ...kpis, [label]: { ...kpis[label], value: change(kpis[label].value) } });

const faults = {
  'wrong-value': { cards: withCard('Orders', (value) => value + 7) },
  'wrong-range': {
    request(query) {
      if (query.get('range') === '7d') query.set('range', 'today');
    },
  },
  'stale-filter': (() => {
    let kept; // of the last change of range
    return {
      cards(report) {
        if (kept?.range !== report.range) kept = report;
        return kept.kpis;
      },
    };
  })(),
  'slip-1000': { cards: withCard('Revenue', (value) => value / 1000) },
  'slip-100': { cards: withCard('Conversion rate', (value) => value / 100) },
  sign: { cards: withCard('Refunds', (value) => -value) },
  subtotal: { orders: (report) => ({ ...report, ordersTotal: report.ordersTotal + 120.5 }) },
  currency: { currency: 'EUR' },
  swapped: {
    cards: ({ kpis }) => ({ ...kpis, Orders: kpis['Active users'], 'Active users': kpis.Orders }),
  },
  'chart-cards': {
    chart(report) {
      const breakdown = report.breakdown.map((part, i) => (i === 0 ? { ...part, value: part.value * 0.8 } : part));
      const value = breakdown.reduce((sum, part) => sum + part.value, 0);
      return { ...report, breakdown, kpis: { ...report.kpis, Revenue: { ...report.kpis.Revenue, value } } };
    },
  },
  'console-error': {
    load: () => console.error('Tracking pixel blocked: consent state is undefined'),
  },
  'refresh-500': {
    request(query, turn) {
      if (turn > 1) query.set('refresh', turn);
    },
  },
};

globalThis.assayDemo = faults['FAULT']; // the server writes which: the page itself does not tell
