// Loaded by the broken variant only, and before dashboard.js: the two faults
// that live in the browser. The others are in defects.go.

// wrong-kpi: the Revenue card shows the right value times 1.1. The API, the
// chart and its legend stay right, so two things can tell: the oracle, and the
// page itself, which disagrees with its own chart.
const inflated = ({ value, unit }) => ({ value: value * 1.1, unit });
globalThis.assayDemo = {
  cards: ({ kpis }) => ({ ...kpis, Revenue: inflated(kpis.Revenue) }),
};

// console-error: an exception that nobody catches, while the page loads. It is
// the last statement, since nothing here would run after it.
const promotion = globalThis.assayDemoPromotion; // never set
promotion.banner.show();
