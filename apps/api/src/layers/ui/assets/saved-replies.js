/* A slash at the beginning of a line opens the saved replies. The chosen text replaces it. */
const VARIABLE = /\{\{(customer|agent|ticket|mailbox)\}\}/;
const isAfterSlash = ({ value, selectionStart }) => /(^|\n)\/$/.test(value.slice(0, selectionStart));

document.addEventListener('input', ({ target, data }) => {
  const menu = target.form?.querySelector('[data-saved-replies]');
  if (target.id !== 'body' || data !== '/' || !menu || !isAfterSlash(target)) return;
  if (!document.querySelector('[data-shortcuts="on"]')) return;
  menu.openedFrom = target;
  menu.open = true;
  menu.querySelector('input').focus();
});

document.addEventListener('click', (event) => {
  const choice = event.target.closest?.('[data-saved-replies] [data-text]');
  if (!choice || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  insertReply(choice.closest('details'), choice);
});

/** Text typed after the slash was no search, so it stays. */
document.addEventListener('menu:left', ({ target: menu }) => {
  const body = menu.openedFrom;
  if (body?.id !== 'body' || !isAfterSlash(body)) return;
  const { selectionStart: start } = body;
  body.setRangeText(menu.querySelector('[type="search"]').value, start, start, 'end');
  body.dispatchEvent(new InputEvent('input', { bubbles: true }));
});

let inserted = '';

function insertReply(menu, choice) {
  const body = document.querySelector('#body');
  const effects = document.querySelector('[data-effects]');
  const added = choice.querySelector('template').content.cloneNode(true);
  // A text without effects keeps those of an earlier one.
  if (added.querySelector('label') || !effects.querySelector('label')) effects.replaceChildren(added);
  menu.open = false;
  body.focus();
  if (isAfterSlash(body)) body.selectionStart -= 1;
  const start = body.selectionStart;
  inserted = choice.dataset.text;
  // Unlike a new value, this can be undone by Ctrl+Z.
  document.execCommand('insertText', false, choice.dataset.text);
  const variable = VARIABLE.exec(choice.dataset.text);
  if (variable) body.setSelectionRange(start + variable.index, start + variable.index + variable[0].length);
}

/** The effects of a saved reply go with its text. */
document.addEventListener('input', ({ target, inputType }) => {
  if (target.id !== 'body' || inputType !== 'historyUndo' || target.value.includes(inserted)) return;
  document.querySelector('[data-effects]').replaceChildren();
});
