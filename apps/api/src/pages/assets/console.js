/* What a script adds to pages. Every form and link works without it. */
const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Follows a redirect to another page. Shows an error that has no place on this page as a toast. */
document.addEventListener('htmx:after:request', (event) => {
  const { ctx } = event.detail;
  const { raw, status } = ctx.response;
  const landed = new URL(raw.url);
  if (raw.redirected && landed.pathname !== location.pathname) {
    event.preventDefault();
    location.assign(raw.url);
  } else if (status >= 400) {
    const page = new DOMParser().parseFromString(ctx.text, 'text/html');
    if (ctx.select && one(ctx.select, page)) return;
    event.preventDefault();
    toast('bad', one('[data-explanation]', page)?.textContent ?? 'That did not work. Please try again.');
  }
});

document.addEventListener('htmx:error', () => toast('bad', 'The server cannot be reached. What you typed is kept.'));

function toast(tone, text) {
  const notice = document.createElement('div');
  notice.className = `notice ${tone}`;
  notice.textContent = text;
  one('#toasts')?.replaceChildren(notice);
}

/* Drafts are stored while they are typed, restored into empty fields, and deleted after they were sent. */
const draftKey = (field) => `draft:${field.dataset.draft}`;

document.addEventListener('input', ({ target }) => {
  if (!target.dataset?.draft) return;
  if (target.value) localStorage.setItem(draftKey(target), target.value);
  else localStorage.removeItem(draftKey(target));
});

function restoreDrafts() {
  for (const field of all('[data-draft]')) {
    if (!field.value) field.value = localStorage.getItem(draftKey(field)) ?? '';
  }
}

/** Remembers which draft was sent until the response is known. */
document.addEventListener('submit', ({ target }) => {
  const field = one('[data-draft]', target);
  if (field) sessionStorage.setItem('sent', draftKey(field));
});

/** Deletes the draft once the server has confirmed it. */
function forgetSentDraft() {
  const key = sessionStorage.getItem('sent');
  if (!key || !one('#toasts .good')) return;
  sessionStorage.removeItem('sent');
  localStorage.removeItem(key);
  for (const field of all('[data-draft]')) if (draftKey(field) === key) field.value = '';
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest?.('[data-copy]');
  if (button) navigator.clipboard.writeText(button.dataset.copy).then(() => copied(button), copyByHand);
});

function copied(button) {
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2000);
}

const copyByHand = () =>
  toast('bad', 'This browser does not let us copy. Please select the text and copy it yourself.');

/** For browsers that do not support `commandfor` yet. */
document.addEventListener('click', ({ target }) => {
  const button = target.closest?.('[commandfor]');
  if (!button || 'commandForElement' in HTMLButtonElement.prototype) return;
  const dialog = document.getElementById(button.getAttribute('commandfor'));
  if (button.getAttribute('command') === 'show-modal') dialog?.showModal();
  else dialog?.close();
});

/** A sheet closes like a menu: by a click outside, or by Escape, which returns the focus. */
document.addEventListener('click', ({ target }) => {
  for (const menu of all('details.menu[open]')) if (!menu.contains(target)) menu.open = false;
});
document.addEventListener('keydown', (event) => {
  const menu = event.key === 'Escape' && event.target.closest?.('details.menu[open]');
  if (!menu || event.target.closest('dialog')) return;
  menu.open = false;
  one('summary', menu).focus();
});

/** A sheet closes when its form is sent, and the focus returns to where it was opened. */
document.addEventListener('submit', ({ target }) => {
  const menu = target.closest('details.menu[open]');
  if (!menu) return;
  menu.open = false;
  one('summary', menu).focus();
});

document.addEventListener('change', ({ target }) => {
  if (target.name === 'ticket[]') countSelected();
});

function countSelected() {
  const count = all('#tickets :checked').length;
  for (const label of all('[data-selected]')) label.textContent = `${count} selected`;
}

/** The customer pane is open beside a wide conversation, and folded above a narrow one. */
const narrow = matchMedia('(max-width: 1099px)');
const fold = () => all('[data-fold]').forEach((pane) => (pane.open = !narrow.matches));
narrow.addEventListener('change', fold);

const TOAST_MS = 8000;
let fading;

function settle() {
  restoreDrafts();
  forgetSentDraft();
  countSelected();
  for (const button of all('[data-copy]')) button.hidden = !navigator.clipboard;
  clearTimeout(fading);
  fading = setTimeout(() => one('#toasts')?.replaceChildren(), TOAST_MS);
}

function scrollToBottom() {
  const conversation = one('[data-conversation]');
  if (conversation) conversation.scrollTop = conversation.scrollHeight;
}

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  const method = ctx.request?.method;
  if (method === 'POST' && ctx.request.action === '/tickets/bulk')
    for (const box of all('#tickets :checked')) box.checked = false;
  settle();
  if (ctx.select === '#ticket') fold();
  if (ctx.select === '#ticket' || one('#toasts .good')) scrollToBottom();
});

settle();
fold();
scrollToBottom();
