// Tabs, questions before a form is sent, answers of the help page, and comments.
for (const list of document.querySelectorAll('[role=tablist]')) {
  const tabs = [...list.querySelectorAll('[role=tab]')];
  for (const tab of tabs) {
    tab.addEventListener('click', () => {
      if (faults === 'tabs-dead') return;
      for (const other of tabs) {
        other.setAttribute('aria-selected', String(other === tab));
        document.getElementById(other.getAttribute('aria-controls')).hidden = other !== tab;
      }
    });
  }
}

for (const button of document.querySelectorAll('[data-asks]')) {
  const dialog = document.getElementById(button.dataset.asks);
  button.addEventListener('click', () => dialog.showModal());
  dialog.querySelector('[data-cancels]').addEventListener('click', () => {
    if (faults === 'cancel-deletes') dialog.querySelector('form').submit();
    else dialog.close();
  });
}

for (const button of document.querySelectorAll('[data-opens]')) {
  button.addEventListener('click', () => {
    if (faults === 'answers-dead') return;
    const answer = document.getElementById(button.dataset.opens);
    answer.hidden = !answer.hidden;
    button.setAttribute('aria-expanded', String(!answer.hidden));
  });
}

const comments = document.querySelector('[data-comments]');
if (comments) {
  comments.addEventListener('submit', async (event) => {
    event.preventDefault();
    const field = comments.querySelector('textarea');
    const refused = comments.querySelector('[role=alert]');
    const answer = await fetch(comments.dataset.comments, { method: 'POST', body: JSON.stringify({ Text: field.value }) });
    const body = await answer.json();
    refused.textContent = body.error ?? '';
    if (!answer.ok) return;
    const list = document.querySelector('[data-list=comments]');
    list.replaceChildren(...(body.comments ?? []).map((text) => Object.assign(document.createElement('li'), { textContent: text })));
    field.value = '';
  });
}
