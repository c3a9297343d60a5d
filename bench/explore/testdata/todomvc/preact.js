import { h, render, Component, Fragment } from 'preact';

const store = todoStore('preact');

class Item extends Component {
  state = { editing: false };
  save = e => {
    if (!this.state.editing) return;
    const title = e.target.value.trim();
    this.setState({ editing: false });
    title ? this.props.change({ title }) : this.props.remove();
  };
  key = e => {
    if (e.key === 'Enter') this.save(e);
    if (e.key === 'Escape') this.setState({ editing: false });
  };
  render({ todo, change, remove }, { editing }) {
    return h('li', { class: `${todo.done ? 'completed' : ''} ${editing ? 'editing' : ''}` },
      h('div', { class: 'view' },
        h('input', { class: 'toggle', type: 'checkbox', 'aria-label': 'Done', checked: todo.done, onClick: () => change({ done: !todo.done }) }),
        h('label', { onDblClick: () => this.setState({ editing: true }) }, todo.title),
        h('button', { class: 'destroy', 'aria-label': 'Delete', onClick: remove })),
      editing && h('input', { class: 'edit', 'aria-label': 'Edit', value: todo.title, onBlur: this.save, onKeyDown: this.key, ref: el => el && el.focus() }));
  }
}

class App extends Component {
  state = { todos: store.load(), route: todoRoute() };
  componentDidMount() { addEventListener('hashchange', () => this.setState({ route: todoRoute() })); }
  keep(todos) { store.save(todos); this.setState({ todos }); }
  add = e => {
    const title = e.target.value.trim();
    if (e.key !== 'Enter' || !title) return;
    e.target.value = '';
    this.keep([...this.state.todos, { id: Date.now() + Math.random(), title, done: false }]);
  };
  render(_, { todos, route }) {
    const left = todos.filter(t => !t.done).length;
    const link = (name, href, text) => h('li', null, h('a', { href, class: route === name ? 'selected' : '' }, text));
    return h(Fragment, null,
      h('header', { class: 'header' }, h('h1', null, 'todos'), h('input', { class: 'new-todo', placeholder: 'What needs to be done?', autofocus: true, onKeyDown: this.add })),
      todos.length > 0 && h('main', { class: 'main' },
        h('input', { id: 'toggle-all', class: 'toggle-all', type: 'checkbox', checked: left === 0, onClick: () => this.keep(todos.map(t => ({ ...t, done: left > 0 }))) }),
        h('label', { for: 'toggle-all' }, 'Mark all as complete'),
        h('ul', { class: 'todo-list' }, todoShown(todos, route).map(todo => h(Item, { key: todo.id, todo,
          change: now => this.keep(this.state.todos.map(t => t.id === todo.id ? { ...t, ...now } : t)), remove: () => this.keep(this.state.todos.filter(t => t.id !== todo.id)) })))),
      todos.length > 0 && h('footer', { class: 'footer' },
        h('span', { class: 'todo-count' }, h('strong', null, left), left === 1 ? ' item left' : ' items left'),
        h('ul', { class: 'filters' }, link('all', '#/', 'All'), link('active', '#/active', 'Active'), link('completed', '#/completed', 'Completed')),
        left < todos.length && h('button', { class: 'clear-completed', onClick: () => this.keep(todos.filter(t => !t.done)) }, 'Clear completed')));
  }
}
render(h(App), document.getElementById('app'));
