/* Shortcuts act on the open ticket, or on the row chosen by j and k. */
const one = (selector) => document.querySelector(selector);
const shortcutsEnabled = () => one('[data-shortcuts]')?.dataset.shortcuts === 'on';
const isTyping = (element) =>
  Boolean(element.closest?.('input:not([type="checkbox"]), textarea, select, dialog[open]'));

const rows = () => [...document.querySelectorAll('.ticket-row')];
const selected = () => one('.ticket-row:focus-within') ?? one('.ticket-row:has([aria-current])');
const linkOf = (row) => row?.querySelector('a[data-open]');

function move(by) {
  const all = rows();
  const place = all.indexOf(selected());
  const next = all[place < 0 ? 0 : Math.min(Math.max(place + by, 0), all.length - 1)];
  linkOf(next)?.focus();
}

/** Opens the focused row's ticket first, if it is another one. */
function onTicket(action) {
  const focused = one('.ticket-row:focus-within');
  const elsewhere = focused && !focused.querySelector('[aria-current]');
  if (elsewhere) {
    sessionStorage.setItem('action', action);
    location.assign(linkOf(focused).href);
  } else {
    ACTIONS[action]();
  }
}

function openTool(letter) {
  const tool = one(`[data-tool="${letter}"]`);
  if (!tool) return;
  tool.open = true;
  tool.querySelector('select, button[type="submit"]')?.focus();
}

function compose(kind) {
  const choice = one(`#composer [value="${kind}"]`);
  if (choice) choice.checked = true;
  one('#body')?.focus();
}

const closeButton = () => one('#facts form:has([name="state"][value="closed"]) button[type="submit"]');

/** Only what is on the screen: the toast's action, or a waiting reply. */
function undo() {
  const open = one('#ticket')?.dataset.ticket;
  const toast = one('#toasts .notice:has(.undo)');
  const isOfPage = toast && (open === undefined || toast.dataset.ticket === open);
  const waiting = [...document.querySelectorAll('.held button')].at(-1);
  (isOfPage ? toast.querySelector('.undo') : waiting)?.click();
}

const ACTIONS = {
  reply: () => compose('reply'),
  note: () => compose('note'),
  assign: () => openTool('a'),
  priority: () => openTool('p'),
  move: () => openTool('v'),
  tag: () => one('#add-tag')?.focus(),
  close: () => closeButton()?.click(),
};

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  x: () => selected()?.querySelector('input[type="checkbox"]')?.click(),
  r: () => onTicket('reply'),
  n: () => onTicket('note'),
  a: () => onTicket('assign'),
  p: () => onTicket('priority'),
  t: () => onTicket('tag'),
  v: () => onTicket('move'),
  c: () => onTicket('close'),
  z: undo,
  '/': () => one('#search')?.focus(),
  '?': () => one('#shortcuts')?.showModal(),
};

const PLACES = { i: '/inbox', m: '/inbox?folder=mine' };
const SEQUENCE_MS = 1000;
let wentAt = 0;

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if ((event.ctrlKey || event.metaKey) && key === 'Enter') send(event);
  else if (key === 'Enter' && shortcutsEnabled() && target.matches?.('.menu select')) choose(event);
  else if (key === 'Escape' && target.matches?.('#body, #search, #add-tag')) target.blur();
  else if (shortcutsEnabled() && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(target)) act(event);
});

function act(event) {
  const place = Date.now() - wentAt < SEQUENCE_MS && PLACES[event.key];
  wentAt = event.key === 'g' ? Date.now() : 0;
  if (place) {
    location.assign(place);
  } else if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
}

function choose(event) {
  event.preventDefault();
  event.target.form.requestSubmit();
}

function send(event) {
  const form = event.target.closest?.('form');
  const button = form?.querySelector('[data-send]');
  if (!button) return;
  event.preventDefault();
  form.requestSubmit(button);
}

const waiting = sessionStorage.getItem('action');
sessionStorage.removeItem('action');
if (waiting && ACTIONS[waiting]) ACTIONS[waiting]();
