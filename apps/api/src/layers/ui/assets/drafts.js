/* Saves drafts in this browser at once, and those of tickets on the server a moment later. */
const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

const SAVE_AFTER_MS = 600;
const SAVE_TIMEOUT_MS = 15_000;
/** Browsers let only small requests outlive their page. */
const MAX_KEEPALIVE_CHARACTERS = 8000;
const KEPT_FIELDS = ['kind', 'after', 'draft_revision', 'writer', 'more_cc'];

const fieldOf = (form) => form && one('[data-draft]', form);
const stateOf = (form) => one('#draft', form);
const keyOf = (field) => `typed:${field.dataset.draft}`;
const isConflict = (form) => one('[data-newer]', form) !== null;

/** With its kind: a note must never go to the customer. */
function storeLocally(form, more = {}) {
  const field = fieldOf(form);
  const copy = { text: field.value, ...more };
  for (const name of KEPT_FIELDS) copy[name] = form.elements[name]?.value;
  copy.removedCc = all('[name="cc"]:not(:checked)', form).map(({ value }) => value);
  try {
    if (field.value || stateOf(form)) localStorage.setItem(keyOf(field), JSON.stringify(copy));
    else localStorage.removeItem(keyOf(field));
  } catch {
    // The browser's storage is full. The server still saves the draft.
  }
}

function readLocally(field) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(field)));
  } catch {
    return null;
  }
}

const removeLocally = (field) => localStorage.removeItem(keyOf(field));

const saves = new WeakMap();
function saveOf(form) {
  const idle = { timer: undefined, wanted: false, running: undefined, refused: false, removed: new Set() };
  if (!saves.has(form)) saves.set(form, idle);
  return saves.get(form);
}

document.addEventListener('input', ({ target }) => {
  const form = target.form;
  if (!fieldOf(form) || !['body', 'files', 'cc', 'saved_reply', ...KEPT_FIELDS].includes(target.name)) return;
  if (target.name === 'files') saveOf(form).refused = false;
  storeLocally(form);
  if (stateOf(form)) saveSoon(form);
});

function saveSoon(form) {
  const work = saveOf(form);
  showStatus(form, '');
  clearTimeout(work.timer);
  work.timer = setTimeout(save, SAVE_AFTER_MS, form);
}

/** One save at a time; text typed during a save is saved next. */
function save(form) {
  const work = saveOf(form);
  countCc(form);
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
  if (!field.value && !hadDraft && files.length === 0) return removeLocally(field);
  const answer = await sendDraft(form, files, removed).catch(() => undefined);
  if (!answer) return showStatus(form, 'Not saved: the server cannot be reached. Your text is kept in this browser.');
  if (answer.signedOut) return showStatus(form, 'Not saved: you were signed out. Your text is kept in this browser.');
  work.refused = files.length > 0 && !answer.state;
  if (!answer.state) return showStatus(form, answer.explanation ?? 'Not saved. Your text is kept in this browser.');
  removeSavedFiles(form, files);
  show(form, answer.state);
  if (!answer.ok) return;
  const isWhole = written === JSON.stringify([field.value, form.elements.kind.value]);
  storeLocally(form, isWhole ? { savedAt: Date.now() } : {});
  // The list of tickets marks drafts.
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
  const timeout = files.length === 0 && { signal: AbortSignal.timeout(SAVE_TIMEOUT_MS) };
  const path = stateOf(form).dataset.draftPath;
  const answer = await fetch(path, { method: 'POST', body, keepalive: isSmall, ...timeout });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const explanation = one('[data-explanation]', page)?.textContent;
  return { ok: answer.ok, signedOut: answer.redirected, state: one('#draft', page), explanation };
}

/** Files chosen since stay in the field. */
function removeSavedFiles(form, sent) {
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

function showStatus(form, text) {
  const status = one('[data-draft-status]', form);
  if (status) status.textContent = text;
}

/** The next save removes the file. A parallel request could be overtaken by an older response that has the file. */
document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[name="remove_file"]');
  if (!button) return;
  event.preventDefault();
  const { form } = button;
  saveOf(form).removed.add(button.value);
  form.elements.files.focus();
  void save(form);
});

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
  storeLocally(form);
  fieldOf(form).focus();
  void save(form);
});

/** A form in use must not be restored again. */
const restored = new WeakSet();

function restore(askedAt) {
  for (const field of all('[data-draft]')) {
    const { form } = field;
    if (restored.has(form)) continue;
    restored.add(form);
    const copy = readLocally(field);
    if (copy) restoreInto(form, field, { askedAt, ...copy });
  }
}

function restoreInto(form, field, { askedAt, savedAt, text, sent, removedCc = [], ...fields }) {
  const { draft_revision: revision } = form.elements;
  // The server rendered the page after this save.
  const isOnPage = savedAt <= askedAt;
  const drawnKind = one('[name="kind"][checked]', form)?.value;
  const isSame = field.defaultValue === text && (!drawnKind || drawnKind === fields.kind);
  // The response was lost, but the message was sent.
  const wasSent = sent && fields.draft_revision > 0 && revision?.value === '0';
  if (isOnPage || isSame || wasSent) return removeLocally(field);
  if (!revision && field.value) return;
  field.value = text;
  for (const name of KEPT_FIELDS) if (fields[name] && form.elements[name]) form.elements[name].value = fields[name];
  for (const box of all('[name="cc"]', form)) if (removedCc.includes(box.value)) box.checked = false;
  if (stateOf(form)) void save(form);
}

/** A save that ends after the message was sent would restore the draft. */
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    const field = fieldOf(form);
    // An undone reply joins the saved draft, so the text on the page is saved first.
    const writing = form.matches('[action$="/undo"]') ? one('form#composer') : form;
    if (!fieldOf(writing) || form.ariaBusy === 'true') return;
    const work = saveOf(writing);
    if (!field && work.timer) void save(writing);
    if (work.running) {
      event.preventDefault();
      event.stopImmediatePropagation();
      const submitter = event.submitter;
      // A form cannot be submitted again during the event. Nothing may be left to save.
      void work.running.then(() => setTimeout(() => form.requestSubmit(submitter)));
      return;
    }
    if (!field) return;
    clearTimeout(work.timer);
    work.timer = undefined;
    storeLocally(form, { sent: true });
    sessionStorage.setItem('sent', keyOf(field));
    field.readOnly = true;
  },
  true,
);

/** The closed list of recipients shows how many get a copy. */
function countCc(form) {
  const typed = form.elements.more_cc.value.split(/[,;\n]/).filter((address) => address.trim());
  const count = all('[name="cc"]:checked', form).length + typed.length;
  one('[data-cc]', form).textContent = count > 0 ? `Cc ${count}` : '';
}

/** The form was refused, or the request was lost. */
function resume(form) {
  const field = fieldOf(form);
  if (!field?.readOnly) return;
  field.readOnly = false;
  storeLocally(form);
  if (stateOf(form)) saveSoon(form);
}

/** A redirect to sign-in means that nothing was sent. */
const isSent = ({ response: { status, raw } }) => status < 400 && new URL(raw.url).pathname !== '/sign-in';

document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = ctx.sourceElement?.closest?.('form');
  const field = fieldOf(form);
  if (!field?.readOnly) return;
  sessionStorage.removeItem('sent');
  if (isSent(ctx)) removeLocally(field);
  else storeLocally(form);
});
document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
  const form = ctx.sourceElement?.closest?.('form');
  if (form?.isConnected) resume(form);
});
addEventListener('pageshow', () => {
  for (const { form } of all('[data-draft]')) resume(form);
});

/** The toast of the next page shows whether the form was sent. */
function removeSent() {
  const key = sessionStorage.getItem('sent');
  sessionStorage.removeItem('sent');
  if (key && one('#toasts .good')) localStorage.removeItem(key);
}

const savePending = () => {
  for (const { form } of all('[data-draft]')) if (saveOf(form).timer) void save(form);
};
document.addEventListener('htmx:before:swap', savePending);
addEventListener('pagehide', savePending);

document.addEventListener('htmx:before:request', ({ detail: { ctx } }) => (ctx.askedAt = Date.now()));
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => restore(ctx.askedAt));
removeSent();
restore(performance.timeOrigin);
