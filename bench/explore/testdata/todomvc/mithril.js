const store = todoStore('mithril');
const state = {
  todos: store.load(), fresh: '', editing: null, draft: '',
  keep(todos) { state.todos = todos; store.save(todos); },
  left: () => state.todos.filter(t => !t.done).length,
  add(e) {
    if (e.key !== 'Enter' || !state.fresh.trim()) return;
    state.keep([...state.todos, { id: Date.now() + Math.random(), title: state.fresh.trim(), done: false }]);
    state.fresh = '';
  },
  save(todo) {
    if (state.editing === null) return;
    state.editing = null;
    todo.title = state.draft.trim();
    state.keep(state.todos.filter(t => t.title));
  },
};
const Item = {
  view: ({ attrs: { todo } }) => m('li', { class: [todo.done && 'completed', state.editing === todo.id && 'editing'].filter(Boolean).join(' ') },
    m('.view',
      m('input.toggle[type=checkbox][aria-label=Done]', { checked: todo.done, onchange: () => { todo.done = !todo.done; state.keep(state.todos); } }),
      m('label', { ondblclick: () => { state.editing = todo.id; state.draft = todo.title; } }, todo.title),
      m('button.destroy[aria-label=Delete]', { onclick: () => state.keep(state.todos.filter(t => t !== todo)) })),
    state.editing === todo.id && m('input.edit[aria-label=Edit]', { value: state.draft, oncreate: v => v.dom.focus(), oninput: e => { state.draft = e.target.value; }, onblur: () => state.save(todo),
      onkeydown: e => { if (e.key === 'Enter') state.save(todo); if (e.key === 'Escape') state.editing = null; } })),
};
const App = {
  view({ attrs: { route } }) {
    const { todos } = state, left = state.left();
    const link = (name, href, text) => m('li', m('a', { href, class: route === name ? 'selected' : '' }, text));
    return [
      m('header.header', m('h1', 'todos'), m('input.new-todo[placeholder=What needs to be done?][autofocus]', { value: state.fresh, oninput: e => { state.fresh = e.target.value; }, onkeydown: state.add })),
      todos.length > 0 && m('main.main',
        m('input#toggle-all.toggle-all[type=checkbox]', { checked: left === 0, onchange: e => state.keep(todos.map(t => ({ ...t, done: e.target.checked }))) }), m('label[for=toggle-all]', 'Mark all as complete'),
        m('ul.todo-list', todoShown(todos, route).map(todo => m(Item, { key: todo.id, todo })))),
      todos.length > 0 && m('footer.footer',
        m('span.todo-count', m('strong', left), left === 1 ? ' item left' : ' items left'),
        m('ul.filters', link('all', '#/', 'All'), link('active', '#/active', 'Active'), link('completed', '#/completed', 'Completed')),
        left < todos.length && m('button.clear-completed', { onclick: () => state.keep(todos.filter(t => !t.done)) }, 'Clear completed')),
    ];
  },
};
m.route.prefix = '#';
const at = route => ({ render: () => m(App, { route }) });
m.route(document.getElementById('app'), '/', { '/': at('all'), '/active': at('active'), '/completed': at('completed') });
