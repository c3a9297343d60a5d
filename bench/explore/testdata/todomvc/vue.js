const store = todoStore('vue');
Vue.createApp({
  data: () => ({ todos: store.load(), route: todoRoute(), fresh: '', editing: null, draft: '' }),
  mounted() { addEventListener('hashchange', () => { this.route = todoRoute(); }); },
  watch: { todos: { deep: true, handler: store.save } },
  computed: {
    shown() { return todoShown(this.todos, this.route); },
    left() { return this.todos.filter(t => !t.done).length; },
    all: { get() { return this.left === 0; }, set(done) { this.todos.forEach(t => { t.done = done; }); } },
  },
  methods: {
    add() {
      const title = this.fresh.trim();
      if (title) this.todos.push({ id: Date.now() + Math.random(), title, done: false });
      this.fresh = '';
    },
    remove(todo) { this.todos = this.todos.filter(t => t.id !== todo.id); },
    edit(todo) { this.editing = todo.id; this.draft = todo.title; },
    save(todo) {
      if (this.editing === null) return;
      this.editing = null;
      todo.title = this.draft.trim();
      if (!todo.title) this.remove(todo);
    },
    clear() { this.todos = this.todos.filter(t => !t.done); },
  },
  directives: { focus: el => el.focus() },
  template: `
    <header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus v-model="fresh" @keydown.enter="add"></header>
    <main class="main" v-show="todos.length">
      <input id="toggle-all" class="toggle-all" type="checkbox" v-model="all"><label for="toggle-all">Mark all as complete</label>
      <ul class="todo-list">
        <li v-for="todo in shown" :key="todo.id" :class="{ completed: todo.done, editing: editing === todo.id }">
          <div class="view"><input class="toggle" type="checkbox" aria-label="Done" v-model="todo.done"><label @dblclick="edit(todo)">{{ todo.title }}</label><button class="destroy" aria-label="Delete" @click="remove(todo)"></button></div>
          <input v-if="editing === todo.id" v-focus class="edit" aria-label="Edit" v-model="draft" @blur="save(todo)" @keydown.enter="save(todo)" @keydown.esc="editing = null">
        </li>
      </ul>
    </main>
    <footer class="footer" v-show="todos.length">
      <span class="todo-count"><strong>{{ left }}</strong> {{ left === 1 ? 'item' : 'items' }} left</span>
      <ul class="filters"><li v-for="[name, href, text] in [['all', '#/', 'All'], ['active', '#/active', 'Active'], ['completed', '#/completed', 'Completed']]"><a :href="href" :class="{ selected: route === name }">{{ text }}</a></li></ul>
      <button class="clear-completed" v-show="left < todos.length" @click="clear">Clear completed</button>
    </footer>`,
}).mount('#app');
