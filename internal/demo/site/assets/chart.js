// The revenue chart: stacked bars, one stack per point, drawn at the width the
// page has, so that its text keeps its size.

import { byId, el, svg } from './dom.js';
import { axisUSD, usd } from './format.js';
import { animate } from './motion.js';

const height = 260;
const inset = { top: 12, right: 12, bottom: 28, left: 48 };
const labelRoom = 52; // pixels that a label under a bar needs

// nicely rounds up to the next step that people count in.
function nicely(value) {
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].find((step) => step * magnitude >= value) * magnitude;
}

function axis(top, ticks, width, y) {
  return Array.from({ length: ticks + 1 }, (_, i) => (top / ticks) * i).flatMap((value) => [
    svg('line', { class: 'grid', x1: inset.left, x2: width - inset.right, y1: y(value), y2: y(value) }),
    svg('text', { class: 'tick', x: inset.left - 10, y: y(value) + 4, 'text-anchor': 'end' }, axisUSD(value)),
  ]);
}

function bar(point, x, width, y) {
  const stack = svg('g', {}, svg('title', {}, `${point.label}: ${usd(point.value)}`));
  let sum = 0;
  for (const { category, value } of point.parts) {
    stack.append(svg('rect', {
      class: `fill-${category.toLowerCase()}`, x, width,
      y: y(sum + value), height: Math.max(0, y(sum) - y(sum + value)),
    }));
    sum += value;
  }
  return stack;
}

function draw(chart, { series }, grown) {
  const width = Math.max(280, chart.clientWidth);
  const highest = Math.max(1, ...series.map((point) => point.value));
  const step = nicely(highest / 5);
  const ticks = Math.ceil(highest / step);
  const top = ticks * step;
  const y = (value) => height - inset.bottom - (value / top) * (height - inset.top - inset.bottom);
  const growing = (value) => y(value * grown);
  const pitch = (width - inset.left - inset.right) / series.length;
  const every = Math.ceil(labelRoom / pitch);
  const barWidth = Math.min(56, pitch * 0.68);

  chart.setAttribute('viewBox', `0 0 ${width} ${height}`);
  chart.replaceChildren(...axis(top, ticks, width, y));
  series.forEach((point, i) => {
    const middle = inset.left + pitch * (i + 0.5);
    chart.append(bar(point, middle - barWidth / 2, barWidth, growing));
    // Counted from the newest bar, so that today always has its label.
    if ((series.length - 1 - i) % every === 0) {
      const x = Math.min(middle, width - labelRoom / 2);
      chart.append(svg('text', { class: 'tick', x, y: height - 8, 'text-anchor': 'middle' }, point.label));
    }
  });
}

function describe({ series, kpis }) {
  const best = series.reduce((a, b) => (b.value > a.value ? b : a));
  return `Bar chart of revenue, ${series[0].label} to ${series.at(-1).label}: ` +
    `${usd(kpis.Revenue.value)} in total, highest ${usd(best.value)} at ${best.label}`;
}

function legend({ breakdown }) {
  return breakdown.map(({ category, value }) => el('li', {},
    el('span', { class: `swatch swatch-${category.toLowerCase()}` }), `${category} `, el('b', {}, usd(value))));
}

let shown; // the report on screen, drawn again when the page changes its width
let grown = 1; // how much of the bars
new ResizeObserver(() => shown && draw(byId('chart'), shown, grown)).observe(byId('chart'));

export function showChart(report) {
  shown = report;
  const chart = byId('chart');
  chart.setAttribute('aria-label', describe(report));
  byId('legend').replaceChildren(...legend(report));
  byId('chart-total').textContent = usd(report.kpis.Revenue.value);
  animate(() => shown === report, (part) => {
    grown = part;
    draw(chart, report, grown);
  });
}
