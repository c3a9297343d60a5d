const store = todoStore('knockout');
document.getElementById('app').innerHTML = `
  <header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus data-bind="value: fresh, valueUpdate: 'input', event: { keydown: add }"></header>
  <!-- ko if: todos().length --><main class="main">
    <input id="toggle-all" class="toggle-all" type="checkbox" data-bind="checked: all"><label for="toggle-all">Mark all as complete</label>
    <ul class="todo-list" data-bind="foreach: shown">
      <li data-bind="css: { completed: done, editing: editing }">
        <div class="view"><input class="toggle" type="checkbox" aria-label="Done" data-bind="checked: done"><label data-bind="text: title, event: { dblclick: $root.edit }"></label><button class="destroy" aria-label="Delete" data-bind="click: $root.remove"></button></div>
        <!-- ko if: editing --><input class="edit" aria-label="Edit" data-bind="value: draft, valueUpdate: 'input', hasFocus: true, event: { blur: $root.save, keydown: $root.key }"><!-- /ko -->
      </li></ul></main>
  <footer class="footer"><span class="todo-count"><strong data-bind="text: left"></strong> <span data-bind="text: left() === 1 ? 'item left' : 'items left'"></span></span>
    <ul class="filters"><li><a href="#/" data-bind="css: { selected: route() === 'all' }">All</a></li><li><a href="#/active" data-bind="css: { selected: route() === 'active' }">Active</a></li><li><a href="#/completed" data-bind="css: { selected: route() === 'completed' }">Completed</a></li></ul>
    <button class="clear-completed" data-bind="visible: left() < todos().length, click: clear">Clear completed</button></footer><!-- /ko -->`;

class Todo {
  constructor({ title, done }) {
    this.title = ko.observable(title);
    this.done = ko.observable(done);
    this.editing = ko.observable(false);
    this.draft = ko.observable('');
  }
}

function App() {
  const todos = this.todos = ko.observableArray(store.load().map(t => new Todo(t)));
  this.route = ko.observable(todoRoute());
  this.fresh = ko.observable('');
  addEventListener('hashchange', () => this.route(todoRoute()));
  this.left = ko.computed(() => todos().filter(t => !t.done()).length);
  this.shown = ko.computed(() => todos().filter(t => this.route() === 'all' || (this.route() === 'completed') === t.done()));
  this.all = ko.computed({ read: () => this.left() === 0, write: done => todos().forEach(t => t.done(done)) });
  ko.computed(() => store.save(todos().map(t => ({ title: t.title(), done: t.done() }))));
  this.add = (_, e) => {
    const title = this.fresh().trim();
    if (e.key !== 'Enter') return true;
    if (title) todos.push(new Todo({ title, done: false }));
    this.fresh('');
  };
  this.remove = todo => todos.remove(todo);
  this.edit = todo => { todo.draft(todo.title()); todo.editing(true); };
  this.save = todo => {
    if (!todo.editing()) return;
    todo.editing(false);
    todo.title(todo.draft().trim());
    if (!todo.title()) todos.remove(todo);
  };
  this.key = (todo, e) => {
    if (e.key === 'Enter') this.save(todo);
    if (e.key === 'Escape') todo.editing(false);
    return true;
  };
  this.clear = () => todos.remove(t => t.done());
}
ko.applyBindings(new App());
