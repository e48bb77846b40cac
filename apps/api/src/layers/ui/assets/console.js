/* Every form and link works without this script. */
const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Shows an error as a toast if this page has no place for it. */
document.addEventListener('htmx:after:request', (event) => {
  const { ctx } = event.detail;
  const { raw, status } = ctx.response;
  const landed = new URL(raw.url);
  if (raw.redirected && landed.pathname !== location.pathname) {
    event.preventDefault();
    const ticket = one('#ticket')?.dataset.ticket;
    const into = /^\/tickets\/(\d+)/.exec(landed.pathname)?.[1];
    if (ctx.refreshedAt !== undefined && ticket && into) return showMerge(ticket, into, landed);
    keepToasts(ctx.text);
    location.assign(isTyped() && landed.pathname === '/sign-in' ? '/sign-in?unsent=kept' : raw.url);
  } else if (status >= 400) {
    const page = new DOMParser().parseFromString(ctx.text, 'text/html');
    if (ctx.select && one(ctx.select, page)) return;
    event.preventDefault();
    toast('bad', one('[data-explanation]', page)?.textContent ?? 'Something went wrong. Try again.');
  }
});

/** A refresh never opens another ticket, where text and shortcuts would go. */
function showMerge(ticket, into, { pathname, search }) {
  const link = document.createElement('a');
  link.href = pathname + search;
  link.textContent = `Open #${into}`;
  Object.assign(toast('bad', `#${ticket} was merged into #${into}. `, link).dataset, { ticket, endsAt: 'Infinity' });
}

const isTyped = () => all('[data-draft]').some(({ value }) => value);

/** The server sends a notice once, so the next page shows it. */
function keepToasts(text) {
  const toasts = one('#toasts', new DOMParser().parseFromString(text, 'text/html'));
  if (toasts) sessionStorage.setItem('toasts', toasts.innerHTML);
}

function showToasts() {
  const kept = sessionStorage.getItem('toasts');
  const toasts = one('#toasts');
  sessionStorage.removeItem('toasts');
  if (!kept || !toasts || toasts.children.length > 0) return;
  toasts.innerHTML = kept;
  htmx.process(toasts);
}

document.addEventListener('htmx:error', () =>
  toast('bad', 'The server cannot be reached. Your text is kept in this browser.'),
);

function toast(tone, ...content) {
  const notice = document.createElement('div');
  notice.className = `notice ${tone}`;
  notice.append(...content);
  one('#toasts')?.replaceChildren(notice);
  return notice;
}

/* A page restored from history has no request in progress. */
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (form.method !== 'post') return;
    if (form.ariaBusy === 'true') {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    form.ariaBusy = 'true';
    // After the form data is collected, which includes the pressed button.
    setTimeout(() => setButtons(form, true));
  },
  true,
);

function setButtons(form, disabled) {
  for (const button of form.elements) if (button.type === 'submit') button.disabled = disabled;
}

function release(forms) {
  for (const form of forms) {
    form.ariaBusy = null;
    setButtons(form, false);
  }
}

addEventListener('pageshow', () => release(all('form[aria-busy]')));
// Refreshes of the page end as well.
document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
  const form = ctx.sourceElement?.closest?.('form');
  if (form) release([form]);
});

/* A form takes effect once for each key. One that stays on the page gets a new key. */
document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const key = ctx.sourceElement?.closest?.('form')?.elements.form_key;
  if (!key || ctx.response.status >= 400) return;
  const form = key.form;
  if (form.matches('.add-tag')) form.reset();
  const random = crypto.getRandomValues(new Uint8Array(16));
  key.value = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
});

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-copy]');
  if (!button || !navigator.clipboard) return;
  event.preventDefault();
  navigator.clipboard.writeText(button.href ?? button.dataset.copy).then(() => copied(button), copyByHand);
});

function copied(button) {
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = label), 2000);
}

const copyByHand = () => toast('bad', 'Could not copy. Select the text and copy it yourself.');

/** For browsers without `commandfor`. */
document.addEventListener('click', ({ target }) => {
  const button = target.closest?.('[commandfor]');
  if (!button || 'commandForElement' in HTMLButtonElement.prototype) return;
  const dialog = document.getElementById(button.getAttribute('commandfor'));
  if (button.getAttribute('command') === 'show-modal') dialog?.showModal();
  else dialog?.close();
});

document.addEventListener('change', ({ target }) => {
  if (target.matches('.chip select')) target.form.requestSubmit();
});

const narrow = matchMedia('(max-width: 1099px)');
const fold = () => all('[data-fold]').forEach((pane) => (pane.open = !narrow.matches));
narrow.addEventListener('change', fold);

function settle() {
  for (const button of all('button[data-copy]')) button.hidden = !navigator.clipboard;
}

/** The agent may not have seen messages that arrived while writing, so the seen mark stays. */
function seeThread() {
  const form = one('#composer');
  const thread = one('#thread');
  if (form && thread && !form.elements.body.value) form.elements.seen.value = thread.dataset.seen;
}

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  settle();
  if (ctx.select === '#ticket') fold();
  seeThread();
});

/** The address of a ticket opened by a direct link names its list, so that a refresh shows the same one. */
function nameList() {
  const list = one('#ticket')?.dataset.list;
  if (list && !location.search) history.replaceState(history.state, '', `?${list}${location.hash}`);
}

nameList();
showToasts();
settle();
fold();
