const { createElement: h, useState, useEffect } = React;
const store = todoStore('react');

function Item({ todo, change, remove }) {
  const [editing, edit] = useState(false);
  const [draft, type] = useState(todo.title);
  const save = () => { edit(false); draft.trim() ? change({ ...todo, title: draft.trim() }) : remove(); };
  return h('li', { className: [todo.done && 'completed', editing && 'editing'].filter(Boolean).join(' ') },
    h('div', { className: 'view' },
      h('input', { className: 'toggle', type: 'checkbox', 'aria-label': 'Done', checked: todo.done, onChange: () => change({ ...todo, done: !todo.done }) }),
      h('label', { onDoubleClick: () => { type(todo.title); edit(true); } }, todo.title),
      h('button', { className: 'destroy', 'aria-label': 'Delete', onClick: remove })),
    editing && h('input', { className: 'edit', 'aria-label': 'Edit', autoFocus: true, value: draft, onChange: e => type(e.target.value), onBlur: save,
      onKeyDown: e => { if (e.key === 'Enter') save(); if (e.key === 'Escape') edit(false); } }));
}

function App() {
  const [todos, set] = useState(store.load);
  const [route, go] = useState(todoRoute);
  useEffect(() => { const on = () => go(todoRoute()); addEventListener('hashchange', on); return () => removeEventListener('hashchange', on); }, []);
  useEffect(() => store.save(todos), [todos]);
  const left = todos.filter(t => !t.done).length;
  const add = e => {
    const title = e.target.value.trim();
    if (e.key !== 'Enter' || !title) return;
    e.target.value = '';
    set([...todos, { id: Date.now() + Math.random(), title, done: false }]);
  };
  const link = (name, href, text) => h('li', null, h('a', { href, className: route === name ? 'selected' : '', 'aria-current': route === name ? 'page' : null }, text));
  return h(React.Fragment, null,
    h('header', { className: 'header' }, h('h1', null, 'todos'), h('input', { className: 'new-todo', placeholder: 'What needs to be done?', autoFocus: true, onKeyDown: add })),
    todos.length > 0 && h('main', { className: 'main' },
      h('input', { id: 'toggle-all', className: 'toggle-all', type: 'checkbox', checked: left === 0, onChange: e => set(todos.map(t => ({ ...t, done: e.target.checked }))) }),
      h('label', { htmlFor: 'toggle-all' }, 'Mark all as complete'),
      h('ul', { className: 'todo-list' }, todoShown(todos, route).map(todo => h(Item, { key: todo.id, todo,
        change: now => set(todos.map(t => t.id === todo.id ? now : t)), remove: () => set(todos.filter(t => t.id !== todo.id)) })))),
    todos.length > 0 && h('footer', { className: 'footer' },
      h('span', { className: 'todo-count' }, h('strong', null, left), left === 1 ? ' item left' : ' items left'),
      h('ul', { className: 'filters' }, link('all', '#/', 'All'), link('active', '#/active', 'Active'), link('completed', '#/completed', 'Completed')),
      left < todos.length && h('button', { className: 'clear-completed', onClick: () => set(todos.filter(t => !t.done)) }, 'Clear completed')));
}
ReactDOM.createRoot(document.getElementById('app')).render(h(App));
