import { LitElement, html, nothing } from 'lit';

const store = todoStore('lit');

class TodoApp extends LitElement {
  static properties = { todos: { state: true }, route: { state: true }, editing: { state: true } };
  constructor() {
    super();
    this.todos = store.load();
    this.route = todoRoute();
    addEventListener('hashchange', () => { this.route = todoRoute(); });
  }
  keep(todos) { this.todos = todos; store.save(todos); }
  add(e) {
    const title = e.target.value.trim();
    if (e.key !== 'Enter' || !title) return;
    e.target.value = '';
    this.keep([...this.todos, { id: Date.now() + Math.random(), title, done: false }]);
  }
  change(todo, now) { this.keep(this.todos.map(t => t.id === todo.id ? { ...t, ...now } : t)); }
  remove(todo) { this.keep(this.todos.filter(t => t.id !== todo.id)); }
  save(todo, e) {
    if (this.editing !== todo.id) return;
    this.editing = null;
    const title = e.target.value.trim();
    title ? this.change(todo, { title }) : this.remove(todo);
  }
  key(todo, e) {
    if (e.key === 'Enter') this.save(todo, e);
    if (e.key === 'Escape') this.editing = null;
  }
  item(todo) {
    return html`<li class="${todo.done ? 'completed' : ''} ${this.editing === todo.id ? 'editing' : ''}">
      <div class="view"><input class="toggle" type="checkbox" aria-label="Done" .checked=${todo.done} @change=${() => this.change(todo, { done: !todo.done })}>
        <label @dblclick=${() => { this.editing = todo.id; }}>${todo.title}</label><button class="destroy" aria-label="Delete" @click=${() => this.remove(todo)}></button></div>
      ${this.editing === todo.id ? html`<input class="edit" aria-label="Edit" autofocus .value=${todo.title} @blur=${e => this.save(todo, e)} @keydown=${e => this.key(todo, e)}>` : nothing}</li>`;
  }
  link(name, href, text) { return html`<li><a href=${href} class=${this.route === name ? 'selected' : ''}>${text}</a></li>`; }
  updated() { this.renderRoot.querySelector('.edit')?.focus(); }
  render() {
    const left = this.todos.filter(t => !t.done).length;
    return html`<link rel="stylesheet" href="/npm/todomvc-app-css/index.css">
      <header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus @keydown=${this.add}></header>
      ${this.todos.length ? html`<main class="main">
        <input id="toggle-all" class="toggle-all" type="checkbox" .checked=${left === 0} @change=${e => this.keep(this.todos.map(t => ({ ...t, done: e.target.checked })))}><label for="toggle-all">Mark all as complete</label>
        <ul class="todo-list">${todoShown(this.todos, this.route).map(t => this.item(t))}</ul></main>
      <footer class="footer"><span class="todo-count"><strong>${left}</strong> ${left === 1 ? 'item' : 'items'} left</span>
        <ul class="filters">${this.link('all', '#/', 'All')}${this.link('active', '#/active', 'Active')}${this.link('completed', '#/completed', 'Completed')}</ul>
        ${left < this.todos.length ? html`<button class="clear-completed" @click=${() => this.keep(this.todos.filter(t => !t.done))}>Clear completed</button>` : nothing}</footer>` : nothing}`;
  }
}
customElements.define('todo-app', TodoApp);
document.getElementById('app').append(document.createElement('todo-app'));
