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
