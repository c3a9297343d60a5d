// Loads /api/kpi for the chosen range and category and shows it.

import { showChart } from './chart.js';
import { byId } from './dom.js';
import { kpi, when } from './format.js';
import { hooks } from './hooks.js';
import { animate } from './motion.js';
import { showOrders } from './orders.js';

const filters = byId('filters');
const chosen = () => new URLSearchParams(new FormData(filters));

// getJSON answers the body of a good answer. Without a session there is nothing
// to show, so it leaves for the sign-in page.
async function getJSON(path) {
  const answer = await fetch(path, { headers: { Accept: 'application/json' } });
  if (answer.status === 401) {
    location.assign('/login');
    return new Promise(() => {}); // the page is being left
  }
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

let shown = {}; // values on the cards

function showKPIs(report) {
  const kpis = hooks.cards(report);
  const before = shown;
  shown = kpis;
  animate(() => shown === kpis, (part) => {
    for (const place of document.querySelectorAll('[data-kpi]')) {
      const { value, unit } = kpis[place.dataset.kpi];
      const from = before[place.dataset.kpi]?.value ?? 0;
      place.textContent = kpi({ unit, value: part === 1 ? value : from + (value - from) * part });
    }
  });
}

function show(report) {
  showKPIs(report);
  showChart(hooks.chart(report));
  showOrders(hooks.orders(report));
  const range = filters.elements.range.selectedOptions[0].text;
  byId('status').textContent =
    `${range} · ${report.category === 'All' ? 'All categories' : report.category} · Updated ${when(report.generatedAt)} UTC`;
}

let latest = 0; // answers to an older choice than the last are dropped

async function load() {
  const turn = ++latest;
  const choice = chosen();
  history.replaceState(null, '', `?${choice}`);
  hooks.request(choice, turn);
  byId('data').setAttribute('aria-busy', 'true');
  byId('status').textContent = 'Loading…';
  byId('problem').hidden = true;
  try {
    const report = await getJSON(`/api/kpi?${choice}`);
    if (turn === latest) show(report);
  } catch (error) {
    if (turn === latest) fail(error);
  } finally {
    if (turn === latest) byId('data').setAttribute('aria-busy', 'false');
  }
}

function fail(error) {
  byId('status').textContent = 'Not up to date';
  byId('problem').textContent = `The figures could not be loaded: ${error.message}. Press Refresh to try again.`;
  byId('problem').hidden = false;
}

async function loadAlerts() {
  const place = byId('alerts');
  try {
    const alerts = await getJSON('/api/alerts');
    place.textContent = alerts.length === 0 ? 'No alerts' : `Alerts: ${alerts.length}`;
    place.classList.add(alerts.length === 0 ? 'good' : 'bad');
  } catch {
    place.textContent = 'Alerts unavailable';
    place.classList.add('bad');
  }
}

// A link such as /dashboard?range=7d&category=Hardware opens on that choice.
for (const [name, value] of new URLSearchParams(location.search)) {
  const select = filters.elements[name];
  if ([...(select?.options ?? [])].some((option) => option.value === value)) select.value = value;
}
filters.addEventListener('change', load);
filters.addEventListener('submit', (event) => {
  event.preventDefault();
  load();
});
hooks.load();
load();
loadAlerts();
