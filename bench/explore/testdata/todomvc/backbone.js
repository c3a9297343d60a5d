const store = todoStore('backbone');
const Todos = Backbone.Collection.extend({ left() { return this.reject('done').length; } });
const todos = new Todos(store.load());

const ItemView = Backbone.View.extend({
  tagName: 'li',
  template: _.template('<div class="view"><input class="toggle" type="checkbox" aria-label="Done" <%= done ? "checked" : "" %>><label><%- title %></label><button class="destroy" aria-label="Delete"></button></div>'),
  events: { 'click .toggle': 'toggle', 'dblclick label': 'edit', 'click .destroy': 'remove1', 'keydown .edit': 'key', 'blur .edit': 'save' },
  render() {
    this.$el.html(this.template(this.model.toJSON())).toggleClass('completed', this.model.get('done'));
    return this;
  },
  toggle() { this.model.set('done', !this.model.get('done')); },
  remove1() { todos.remove(this.model); },
  edit() { this.$el.addClass('editing').append($('<input class="edit" aria-label="Edit">').val(this.model.get('title'))).find('.edit').trigger('focus'); },
  key(e) { if (e.key === 'Enter') this.save(); if (e.key === 'Escape') app.render(); },
  save() {
    const title = this.$('.edit').val().trim();
    title ? this.model.set({ title }) : todos.remove(this.model);
    app.render();
  },
});

const AppView = Backbone.View.extend({
  el: '#app',
  events: { 'keydown .new-todo': 'add', 'change .toggle-all': 'all', 'click .clear-completed': 'clear' },
  footer: _.template('<span class="todo-count"><strong><%= left %></strong> <%= left === 1 ? "item" : "items" %> left</span><ul class="filters"><% _.each({ all: ["#/", "All"], active: ["#/active", "Active"], completed: ["#/completed", "Completed"] }, (link, name) => { %><li><a href="<%= link[0] %>" class="<%= route === name ? "selected" : "" %>"><%= link[1] %></a></li><% }) %></ul><% if (done) { %><button class="clear-completed">Clear completed</button><% } %>'),
  initialize() {
    this.$el.html('<header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus></header><main class="main"><input id="toggle-all" class="toggle-all" type="checkbox"><label for="toggle-all">Mark all as complete</label><ul class="todo-list"></ul></main><footer class="footer"></footer>');
    this.listenTo(todos, 'all', _.debounce(() => this.render(), 0));
    this.listenTo(todos, 'all', () => store.save(todos.toJSON()));
    this.render();
  },
  render() {
    const left = todos.left(), route = todoRoute();
    this.$('.main, .footer').toggle(todos.length > 0);
    this.$('.toggle-all').prop('checked', left === 0);
    this.$('.footer').html(this.footer({ left, route, done: todos.length - left }));
    const shown = todos.filter(t => route === 'all' || (route === 'completed') === t.get('done'));
    this.$('.todo-list').empty().append(shown.map(model => new ItemView({ model }).render().el));
    return this;
  },
  add(e) {
    const title = e.target.value.trim();
    if (e.key !== 'Enter' || !title) return;
    e.target.value = '';
    todos.add({ title, done: false });
  },
  all(e) { const done = e.target.checked; todos.each(t => t.set({ done })); },
  clear() { todos.remove(todos.filter('done')); },
});
const app = new AppView();
const Router = Backbone.Router.extend({ routes: { '*filter': () => app.render() } });
new Router();
Backbone.history.start();
