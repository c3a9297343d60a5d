const store = todoStore('alpinejs');
document.getElementById('app').innerHTML = `<div x-data="todos">
  <header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus x-model="fresh" @keydown.enter="add"></header>
  <template x-if="todos.length"><main class="main">
    <input id="toggle-all" class="toggle-all" type="checkbox" :checked="left === 0" @change="all($event.target.checked)"><label for="toggle-all">Mark all as complete</label>
    <ul class="todo-list"><template x-for="todo in shown" :key="todo.id">
      <li :class="{ completed: todo.done, editing: editing === todo.id }">
        <div class="view"><input class="toggle" type="checkbox" aria-label="Done" x-model="todo.done" @change="keep"><label @dblclick="edit(todo)" x-text="todo.title"></label><button class="destroy" aria-label="Delete" @click="remove(todo)"></button></div>
        <template x-if="editing === todo.id"><input class="edit" aria-label="Edit" x-init="$nextTick(() => $el.focus())" x-model="draft" @blur="save(todo)" @keydown.enter="save(todo)" @keydown.escape="editing = null"></template>
      </li></template></ul></main></template>
  <template x-if="todos.length"><footer class="footer">
    <span class="todo-count"><strong x-text="left"></strong> <span x-text="left === 1 ? 'item left' : 'items left'"></span></span>
    <ul class="filters"><li><a href="#/" :class="{ selected: route === 'all' }">All</a></li><li><a href="#/active" :class="{ selected: route === 'active' }">Active</a></li><li><a href="#/completed" :class="{ selected: route === 'completed' }">Completed</a></li></ul>
    <button class="clear-completed" x-show="left < todos.length" @click="clear">Clear completed</button></footer></template></div>`;
document.addEventListener('alpine:init', () => Alpine.data('todos', () => ({
  todos: store.load(), route: todoRoute(), fresh: '', editing: null, draft: '',
  init() { addEventListener('hashchange', () => { this.route = todoRoute(); }); },
  get shown() { return todoShown(this.todos, this.route); },
  get left() { return this.todos.filter(t => !t.done).length; },
  keep() { store.save(this.todos); },
  add() {
    const title = this.fresh.trim();
    if (title) this.todos.push({ id: Date.now() + Math.random(), title, done: false });
    this.fresh = '';
    this.keep();
  },
  remove(todo) { this.todos = this.todos.filter(t => t.id !== todo.id); this.keep(); },
  edit(todo) { this.editing = todo.id; this.draft = todo.title; },
  save(todo) {
    if (this.editing === null) return;
    this.editing = null;
    todo.title = this.draft.trim();
    if (todo.title) this.keep(); else this.remove(todo);
  },
  all(done) { this.todos.forEach(t => { t.done = done; }); this.keep(); },
  clear() { this.todos = this.todos.filter(t => !t.done); this.keep(); },
})));
