/* Keeps what is typed: in this browser at once, and below a ticket also on the server, a moment later. */
const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** The server is told when somebody pauses. */
const SAVE_AFTER_MS = 600;
const SAVE_TIMEOUT_MS = 15_000;
/** A browser lets only small requests outlive their page. */
const MAX_KEEPALIVE_CHARACTERS = 8000;
const KEPT_FIELDS = ['kind', 'after', 'draft_revision', 'writer', 'more_cc'];

const fieldOf = (form) => form && one('[data-draft]', form);
const stateOf = (form) => one('#draft', form);
const keyOf = (field) => `typed:${field.dataset.draft}`;
const isConflict = (form) => one('[data-newer]', form) !== null;

/** What this browser has and the server has not confirmed. A note must never go to the customer, so its kind is kept too. */
function keepHere(form, more = {}) {
  const field = fieldOf(form);
  const copy = { text: field.value, ...more };
  for (const name of KEPT_FIELDS) copy[name] = form.elements[name]?.value;
  copy.removedCc = all('[name="cc"]:not(:checked)', form).map(({ value }) => value);
  try {
    if (field.value || stateOf(form)) localStorage.setItem(keyOf(field), JSON.stringify(copy));
    else localStorage.removeItem(keyOf(field));
  } catch {
    // The storage of the browser is full. The server still gets it.
  }
}

function keptHere(field) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(field)));
  } catch {
    return null;
  }
}

const forgetHere = (field) => localStorage.removeItem(keyOf(field));

const works = new WeakMap();
function workOf(form) {
  const idle = { timer: undefined, wanted: false, running: undefined, refused: false, removed: new Set() };
  if (!works.has(form)) works.set(form, idle);
  return works.get(form);
}

document.addEventListener('input', ({ target }) => {
  const form = target.form;
  if (!fieldOf(form) || !['body', 'files', 'cc', ...KEPT_FIELDS].includes(target.name)) return;
  if (target.name === 'files') workOf(form).refused = false;
  keepHere(form);
  if (stateOf(form)) saveSoon(form);
});

function saveSoon(form) {
  const work = workOf(form);
  say(form, '');
  clearTimeout(work.timer);
  work.timer = setTimeout(save, SAVE_AFTER_MS, form);
}

/** One at a time for each form. What is typed meanwhile is saved next. */
function save(form) {
  const work = workOf(form);
  clearTimeout(work.timer);
  work.timer = undefined;
  work.wanted = true;
  work.running ??= saveAll(form, work);
  return work.running;
}

async function saveAll(form, work) {
  while (work.wanted) {
    work.wanted = false;
    if (!isConflict(form)) await post(form, work);
  }
  work.running = undefined;
}

async function post(form, work) {
  const field = fieldOf(form);
  const written = JSON.stringify([field.value, form.elements.kind.value]);
  const files = work.refused ? [] : [...form.elements.files.files];
  const [removed] = work.removed;
  work.removed.delete(removed);
  work.wanted ||= work.removed.size > 0;
  const hadDraft = form.elements.draft_revision.value !== '0';
  if (!field.value && !hadDraft && files.length === 0) return forgetHere(field);
  const answer = await sendDraft(form, files, removed).catch(() => undefined);
  if (!answer) return say(form, 'Not saved: the server cannot be reached. This browser keeps what you typed.');
  if (answer.signedOut) return say(form, 'Not saved: you were signed out. This browser keeps what you typed.');
  work.refused = files.length > 0 && !answer.state;
  if (!answer.state) return say(form, answer.explanation ?? 'Not saved. This browser keeps what you typed.');
  takeFiles(form, files);
  show(form, answer.state);
  if (!answer.ok) return;
  const isWhole = written === JSON.stringify([field.value, form.elements.kind.value]);
  keepHere(form, isWhole ? { savedAt: Date.now() } : {});
  // The list of tickets says on which of them there is a draft.
  if (hadDraft !== (form.elements.draft_revision.value !== '0')) document.dispatchEvent(new Event('draft:changed'));
}

async function sendDraft(form, files, removed) {
  const body = new FormData(form);
  body.delete('form_key');
  body.delete('files');
  body.append('quiet', 'yes');
  for (const file of files) body.append('files', file);
  if (removed) body.append('remove_file', removed);
  const isSmall = files.length === 0 && fieldOf(form).value.length < MAX_KEEPALIVE_CHARACTERS;
  const patience = files.length === 0 && { signal: AbortSignal.timeout(SAVE_TIMEOUT_MS) };
  const path = stateOf(form).dataset.draftPath;
  const answer = await fetch(path, { method: 'POST', body, keepalive: isSmall, ...patience });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const explanation = one('[data-explanation]', page)?.textContent;
  return { ok: answer.ok, signedOut: answer.redirected, state: one('#draft', page), explanation };
}

/** Those that the server has are listed by name. What was chosen since stays. */
function takeFiles(form, sent) {
  const field = form.elements.files;
  const others = new DataTransfer();
  for (const file of field.files) if (!sent.includes(file)) others.items.add(file);
  if (sent.length === 0) return;
  field.files = others.files;
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

function show(form, state) {
  stateOf(form).replaceWith(document.adoptNode(state));
  htmx.process(stateOf(form));
  document.dispatchEvent(new Event('draft:shown'));
}

function say(form, text) {
  const status = one('[data-draft-status]', form);
  if (status) status.textContent = text;
}

/** A file is taken out by the save that comes next: beside one that runs, an older answer would bring it back. */
document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[name="remove_file"]');
  if (!button) return;
  event.preventDefault();
  const { form } = button;
  workOf(form).removed.add(button.value);
  form.elements.files.focus();
  void save(form);
});

/** A newer draft of another window or device: whoever writes chooses. */
document.addEventListener('click', ({ target }) => {
  const choice = target.closest?.('[data-newer] button');
  if (!choice) return;
  const form = choice.form;
  const notice = one('[data-newer]', form);
  form.elements.draft_revision.value = notice.dataset.newer;
  if (choice.value === 'other') {
    fieldOf(form).value = one('[data-newer-text]', notice)?.textContent ?? '';
    form.elements.kind.value = notice.dataset.kind;
  }
  notice.remove();
  keepHere(form);
  fieldOf(form).focus();
  void save(form);
});

/** Forms that were on the page already are in use. */
const met = new WeakSet();

/** Into forms that were asked for at this time. */
function restore(askedAt) {
  for (const field of all('[data-draft]')) {
    const { form } = field;
    if (met.has(form)) continue;
    met.add(form);
    const copy = keptHere(field);
    if (copy) restoreInto(form, field, { askedAt, ...copy });
  }
}

function restoreInto(form, field, { askedAt, savedAt, text, sent, removedCc = [], ...fields }) {
  const { draft_revision: revision } = form.elements;
  // What the server had before it drew the page is on the page.
  const isOnPage = savedAt < askedAt;
  const drawnKind = one('[name="kind"][checked]', form)?.value;
  const isSame = field.defaultValue === text && (!drawnKind || drawnKind === fields.kind);
  // Sent, although the answer was lost: the draft has gone with the message.
  const wasSent = sent && fields.draft_revision > 0 && revision?.value === '0';
  if (isOnPage || isSame || wasSent) return forgetHere(field);
  if (!revision && field.value) return;
  field.value = text;
  for (const name of KEPT_FIELDS) if (fields[name] && form.elements[name]) form.elements[name].value = fields[name];
  for (const box of all('[name="cc"]', form)) if (removedCc.includes(box.value)) box.checked = false;
  if (stateOf(form)) void save(form);
}

/** What is being saved would come back after it was sent, so that ends first. */
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    const field = fieldOf(form);
    if (!field || form.ariaBusy === 'true') return;
    const work = workOf(form);
    if (work.running) {
      event.preventDefault();
      event.stopImmediatePropagation();
      const submitter = event.submitter;
      void work.running.then(() => form.requestSubmit(submitter));
      return;
    }
    clearTimeout(work.timer);
    work.timer = undefined;
    keepHere(form, { sent: true });
    sessionStorage.setItem('sent', keyOf(field));
    field.readOnly = true;
  },
  true,
);

/** It was refused, or never arrived. */
function goOn(form) {
  const field = fieldOf(form);
  if (!field?.readOnly) return;
  field.readOnly = false;
  keepHere(form);
  if (stateOf(form)) saveSoon(form);
}

/** Whoever was signed out is led to sign in, and nothing was sent. */
const isSent = ({ response: { status, raw } }) => status < 400 && new URL(raw.url).pathname !== '/sign-in';

document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = ctx.sourceElement?.closest?.('form');
  const field = fieldOf(form);
  if (!field?.readOnly) return;
  sessionStorage.removeItem('sent');
  if (isSent(ctx)) forgetHere(field);
  else keepHere(form);
});
document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
  const form = ctx.sourceElement?.closest?.('form');
  if (form?.isConnected) goOn(form);
});
addEventListener('pageshow', () => {
  for (const { form } of all('[data-draft]')) goOn(form);
});

/** A form that loads a page: the next one says whether it was sent. */
function forgetSent() {
  const key = sessionStorage.getItem('sent');
  sessionStorage.removeItem('sent');
  if (key && one('#toasts .good')) localStorage.removeItem(key);
}

const saveWaiting = () => {
  for (const { form } of all('[data-draft]')) if (workOf(form).timer) void save(form);
};
document.addEventListener('htmx:before:swap', saveWaiting);
addEventListener('pagehide', saveWaiting);

document.addEventListener('htmx:before:request', ({ detail: { ctx } }) => (ctx.askedAt = Date.now()));
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => restore(ctx.askedAt));
forgetSent();
restore(performance.timeOrigin);
