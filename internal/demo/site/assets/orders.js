// The table of recent orders, and the dialog that shows one of them.

import { byId, el } from './dom.js';
import { usd, when } from './format.js';

const status = (name) => el('span', { class: `tag tag-${name.toLowerCase()}` }, name);
const time = (iso) => el('time', { datetime: iso }, when(iso));

function view(order) {
  byId('dialog-heading').textContent = `Order ${order.id}`;
  const facts = [
    ['Customer', order.customer], ['Placed', time(order.placedAt)],
    ['Category', order.category], ['Status', status(order.status)],
  ];
  byId('dialog-facts').replaceChildren(...facts.map(([name, value]) =>
    el('div', {}, el('dt', {}, name), el('dd', {}, value))));
  byId('dialog-items').replaceChildren(...order.items.map((item) => el('tr', {},
    el('td', {}, item.name),
    el('td', { class: 'number' }, `${item.quantity}`),
    el('td', { class: 'number' }, usd(item.price)))));
  byId('dialog-total').textContent = usd(order.total);
  byId('order-dialog').showModal();
}

function row(order) {
  const cell = `order-${order.id}`;
  const button = el('button', { type: 'button', 'aria-describedby': cell }, 'View');
  button.addEventListener('click', () => view(order));
  return el('tr', {},
    el('th', { scope: 'row', id: cell }, order.id),
    el('td', {}, time(order.placedAt)),
    el('td', {}, order.customer),
    el('td', {}, order.category),
    el('td', {}, status(order.status)),
    el('td', { class: 'number' }, usd(order.total)),
    el('td', { class: 'action' }, button));
}

export function showOrders({ orders, ordersTotal }) {
  byId('order-rows').replaceChildren(...orders.map(row));
  byId('orders-total').textContent = usd(ordersTotal);
}
