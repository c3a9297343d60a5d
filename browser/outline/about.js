// What activating an element would do, as far as its words and its form tell: the guard's question before a click or a key press.

// The roles that act when they are activated. A checkbox, an option or a text field called "Delete …" only changes a state.
const ACTS = new Set(['button', 'link', 'menuitem', 'clickable']);
const ONLY_STATE = new Set(['checkbox', 'radio', 'option', 'tab', 'textbox', 'searchbox', 'combobox', 'listbox', 'spinbutton', 'slider', 'switch', 'heading',
  'menuitemcheckbox', 'menuitemradio', 'treeitem']);
const MAX_PLAIN_NAME = 80;

const formElements = getter(HTMLFormElement.prototype, 'elements');
const baseOf = getter(Node.prototype, 'baseURI');

// about answers the selector and the names of what the element, or what has the focus, activates, and the form that it submits. A key
// submits the form of a text field; a click into one does not.
OPS.about = (doc, scope, { key }) => {
  const target = scope || focusedIn(doc);
  if (!target) return { line: 'the page', names: [] };
  const { line } = OPS.line(doc, target); // which leaves a state
  const control = actorOf(target);
  const names = [];
  if (control) names.push(nameOf(control) || contentOf(control), attr(control, 'title') || '');
  else if (!ONLY_STATE.has(roleOf(target))) {
    const text = contentOf(target);
    if (text.length <= MAX_PLAIN_NAME) names.push(text);
  }
  const entered = key && !control && isField(target);
  const submitter = control && isSubmit(control) ? control : entered ? defaultButton(target) : null;
  if (entered && submitter) names.push(nameOf(submitter));
  const form = submitter || entered ? own(submitter || target, 'form') : null;
  return {
    line, names: names.filter(Boolean),
    method: form ? ((submitter && attr(submitter, 'formmethod')) || attr(form, 'method') || 'get').toUpperCase() : '',
    address: form ? absolute((submitter && attr(submitter, 'formaction')) || attr(form, 'action') || '', form) : '',
  };
};

// actorOf is the nearest element around one, or itself, that acts; null where a control that only holds a state comes first.
function actorOf(el) {
  for (let node = el; node; node = parentOf(node)) {
    const role = roleOf(node);
    if (ACTS.has(role) || state.clickable.has(node)) return node;
    if (ONLY_STATE.has(role)) return null;
  }
  return null;
}

function isSubmit(el) {
  const tag = tagOf(el);
  return (tag === 'button' && inputType(el) === 'submit') || (tag === 'input' && ['submit', 'image'].includes(inputType(el)));
}

const isField = (el) => tagOf(el) === 'input' && !['button', 'reset', 'checkbox', 'radio', 'file', 'color', 'range'].includes(inputType(el));

// defaultButton is the button that Enter in a field of its form presses.
function defaultButton(el) {
  const form = own(el, 'form');
  return form ? [...formElements(form)].find(isSubmit) || null : null;
}

function absolute(address, el) {
  try {
    return new URL(address || baseOf(el), baseOf(el)).href;
  } catch {
    return address;
  }
}
