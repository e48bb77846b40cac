/* Opens the composer, keeps the kind of its message, and moves the focus after sending. */
const composer = () => document.querySelector('form#composer');

/** It closes late, so that no button moves while it is pressed. */
const CLOSE_AFTER_MS = 300;
document.addEventListener('focusin', ({ target }) => {
  const form = target.closest?.('form#composer');
  if (form && !target.matches('[data-arrived]')) form.dataset.open = '';
});
document.addEventListener('focusout', closeSoon);

function closeSoon() {
  setTimeout(() => {
    if (document.querySelector(':active')) closeSoon();
    else if (composer()?.matches(':not(:focus-within)')) delete composer().dataset.open;
  }, CLOSE_AFTER_MS);
}

/** After a click on Reply or Note, the next keys are text. Arrow keys, whose clicks have no detail, go on choosing. */
document.addEventListener('click', (event) => {
  const label = event.detail > 0 && event.target.closest?.('#composer .segments label');
  if (!label) return;
  // The browser would focus the choice after this.
  if (event.target !== label.control) {
    event.preventDefault();
    label.control.click();
  }
  composer().elements.body.focus();
});

const MARKS = { b: '**', i: '*' };
document.addEventListener('keydown', (event) => {
  const { target, ctrlKey, metaKey, altKey, shiftKey } = event;
  const key = event.key.toLowerCase();
  if (!(ctrlKey || metaKey) || altKey || !target.matches?.('textarea[data-draft]')) return;
  if (shiftKey && key === 'p') target.form.querySelector('[data-preview]')?.click();
  else if (!shiftKey && MARKS[key]) wrap(target, MARKS[key]);
  else return;
  event.preventDefault();
});

/** Marks around a space mark nothing. Existing marks are removed. `execCommand` keeps what Ctrl+Z undoes. */
function wrap(field, mark) {
  const { value } = field;
  let [at, end] = [field.selectionStart, field.selectionEnd];
  // After marked text, the keys that began it end it.
  if (at === end && value.startsWith(mark, at) && !value.slice(0, at).endsWith(mark)) {
    field.selectionStart = at + mark.length;
    return;
  }
  const isEdge = (index) => /[\s*]/.test(value[index]);
  while (at < end && isEdge(at)) at += 1;
  while (end > at && isEdge(end - 1)) end -= 1;
  let stars = 0;
  while (value[at - stars - 1] === '*' && value[end + stars] === '*') stars += 1;
  const text = value.slice(at, end);
  const isMarked = mark === '**' ? stars >= 2 : stars % 2 === 1;
  const marks = '*'.repeat(isMarked ? stars - mark.length : stars + mark.length);
  field.setSelectionRange(at - stars, end + stars);
  document.execCommand(marks || text ? 'insertText' : 'delete', false, `${marks}${text}${marks}`);
  field.setSelectionRange(at - stars + marks.length, at - stars + marks.length + text.length);
}

/** A preview of an older text would be wrong. What a saved reply changes goes with its text. */
document.addEventListener('input', ({ target }) => {
  if (target.id !== 'body') return;
  Object.assign(document.querySelector('#preview'), { hidden: true, open: false });
  if (!target.value) document.querySelector('[data-effects]')?.replaceChildren();
});

const isReplyUndo = (action) => /\/replies\/[^/]+\/undo$/.test(action);

let kindBefore;
document.addEventListener('htmx:before:swap', () => (kindBefore = composer()?.elements.kind.value));
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  const { body, kind } = composer()?.elements ?? {};
  if (!body) return;
  // The message after a note must not go to the customer.
  if (kindBefore === 'note' && ctx.select !== '#ticket' && !body.value) kind.value = 'note';
  moveFocus(body, ctx.request.action);
});

/** After a reply, keys act on the ticket. After a note, which nobody can undo, and after an undo, writing goes on. */
function moveFocus(body, action) {
  const { activeElement } = document;
  const isSent = /^\/tickets\/\d+\/messages$/.test(action) && !body.value;
  if (isReplyUndo(action) || (isSent && body.form.elements.kind.value === 'note')) {
    body.focus();
    body.selectionStart = body.value.length;
  } else if (isSent && (activeElement === document.body || body.form.contains(activeElement))) {
    document.querySelector('[data-conversation]').focus({ preventScroll: true });
  }
}

/** The page of the ticket begins with the key for a reply. */
document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const isElsewhere = new URL(ctx.response.raw.url).pathname !== location.pathname;
  if (isElsewhere && isReplyUndo(ctx.request.action)) sessionStorage.setItem('action', 'reply');
});
