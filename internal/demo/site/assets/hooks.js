// Where a variant of the demo may differ from the plain one. A script loaded
// before this one sets globalThis.assayDemo; the plain dashboard has none.

const plain = {
  currency: 'USD',
  load() {}, // once, before anything is shown
  request() {}, // (query, turn): may change what is asked for
  cards: (report) => report.kpis,
  chart: (report) => report,
  orders: (report) => report,
};

export const hooks = { ...plain, ...globalThis.assayDemo };
