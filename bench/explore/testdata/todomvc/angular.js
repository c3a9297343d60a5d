const store = todoStore('angular');
document.getElementById('app').innerHTML = `<div ng-controller="Todos as c">
  <header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus ng-model="c.fresh" ng-keydown="$event.key === 'Enter' && c.add()"></header>
  <main class="main" ng-if="c.todos.length">
    <input id="toggle-all" class="toggle-all" type="checkbox" ng-checked="c.left() === 0" ng-click="c.all(c.left() > 0)"><label for="toggle-all">Mark all as complete</label>
    <ul class="todo-list"><li ng-repeat="todo in c.shown() track by todo.id" ng-class="{ completed: todo.done, editing: c.editing === todo.id }">
      <div class="view"><input class="toggle" type="checkbox" aria-label="Done" ng-model="todo.done" ng-change="c.keep()"><label ng-dblclick="c.edit(todo)">{{ todo.title }}</label><button class="destroy" aria-label="Delete" ng-click="c.remove(todo)"></button></div>
      <input ng-if="c.editing === todo.id" class="edit" aria-label="Edit" autofocus ng-model="c.draft" ng-blur="c.save(todo)" ng-keydown="$event.key === 'Enter' && c.save(todo); $event.key === 'Escape' && c.stop()"></li></ul></main>
  <footer class="footer" ng-if="c.todos.length"><span class="todo-count"><strong>{{ c.left() }}</strong> {{ c.left() === 1 ? 'item' : 'items' }} left</span>
    <ul class="filters"><li><a href="#/" ng-class="{ selected: c.route === 'all' }">All</a></li><li><a href="#/active" ng-class="{ selected: c.route === 'active' }">Active</a></li><li><a href="#/completed" ng-class="{ selected: c.route === 'completed' }">Completed</a></li></ul>
    <button class="clear-completed" ng-if="c.left() < c.todos.length" ng-click="c.clear()">Clear completed</button></footer></div>`;
angular.module('todos', []).controller('Todos', function Todos($scope) {
  this.todos = store.load();
  this.route = todoRoute();
  this.editing = null;
  addEventListener('hashchange', () => $scope.$apply(() => { this.route = todoRoute(); }));
  this.keep = () => store.save(this.todos.map(({ id, title, done }) => ({ id, title, done })));
  this.left = () => this.todos.filter(t => !t.done).length;
  this.shown = () => todoShown(this.todos, this.route);
  this.add = () => {
    const title = (this.fresh || '').trim();
    if (title) this.todos.push({ id: Date.now() + Math.random(), title, done: false });
    this.fresh = '';
    this.keep();
  };
  this.remove = todo => { this.todos = this.todos.filter(t => t !== todo); this.keep(); };
  this.edit = todo => { this.editing = todo.id; this.draft = todo.title; };
  this.stop = () => { this.editing = null; };
  this.save = todo => {
    if (this.editing === null) return;
    this.editing = null;
    todo.title = (this.draft || '').trim();
    todo.title ? this.keep() : this.remove(todo);
  };
  this.all = done => { this.todos.forEach(t => { t.done = done; }); this.keep(); };
  this.clear = () => { this.todos = this.todos.filter(t => !t.done); this.keep(); };
});
angular.bootstrap(document.getElementById('app'), ['todos']);
