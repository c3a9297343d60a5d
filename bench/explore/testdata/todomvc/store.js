// What all TodoMVC apps of this folder share: where the todos are kept. How they are
// shown and changed is each framework's.
window.todoStore = name => ({
  load: () => JSON.parse(localStorage.getItem('todos-' + name) || '[]'),
  save: todos => localStorage.setItem('todos-' + name, JSON.stringify(todos)),
});
window.todoRoute = () => ({ '#/active': 'active', '#/completed': 'completed' })[location.hash] || 'all';
window.todoShown = (todos, route) => todos.filter(t => route === 'all' || (route === 'completed') === t.done);
