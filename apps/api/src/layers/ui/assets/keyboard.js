/* Shortcuts act on the ticked rows, or else on the row with the focus, or else on the open ticket. */
const one = (selector) => document.querySelector(selector);
const shortcutsEnabled = () => one('[data-shortcuts]')?.dataset.shortcuts === 'on';
const isTyping = (element) =>
  Boolean(element.closest?.('input:not([type="checkbox"]), textarea, select, dialog[open]'));

const rows = () => [...document.querySelectorAll('.ticket-row')];
const selected = () => one('.ticket-row:focus-within') ?? one('.ticket-row:has([aria-current])');
const linkOf = (row) => row?.querySelector('a[data-open]');

/** The list as it was when the agent went to a row. `j` goes on from there when the row has moved or is gone. */
let order = [];
let place = -1;

function keepPlace() {
  const row = selected();
  if (!row || row.id === order[place]) return;
  order = rows().map(({ id }) => id);
  place = order.indexOf(row.id);
}

function move(by) {
  const others = by > 0 ? order.slice(place + 1) : order.slice(0, Math.max(place, 0)).toReversed();
  const next = others.map((id) => document.getElementById(id)).find(Boolean);
  const row = selected();
  const beside = by > 0 ? row?.nextElementSibling : row?.previousElementSibling;
  linkOf(next ?? beside ?? row ?? rows()[0])?.focus();
}

const isTicked = () => one('#tickets :checked') !== null;

/** Opens the focused row's ticket first, if it is another one. That may load a page. */
function onTicket(key) {
  const focused = one('.ticket-row:focus-within');
  const link = linkOf(focused);
  if (!link || link.ariaCurrent) TICKET_KEYS[key](key);
  else {
    sessionStorage.setItem('key', `${focused.dataset.ticket} ${key}`);
    link.click();
  }
}

let openedAt = 0;

function afterOpening() {
  openedAt = Date.now();
  const [ticket, key] = sessionStorage.getItem('key')?.split(' ') ?? [];
  sessionStorage.removeItem('key');
  if (ticket && ticket === one('#ticket')?.dataset.ticket) TICKET_KEYS[key](key);
}

function openTool(key) {
  const menu = one(isTicked() ? `#bulk [data-tool="${key}"]` : `[data-tool="${key}"]:not(#bulk *)`);
  if (menu?.matches('a, button')) menu.click();
  else if (menu) openMenu(menu);
}

/** Tells `menus.js` now, because the next key may come before the browser does. */
function openMenu(menu) {
  menu.openedFrom = document.activeElement;
  menu.open = true;
  menu.dispatchEvent(new Event('toggle'));
}

const assignMe = () => (isTicked() ? assignTickedToMe() : one('.to-me')?.click());

function assignTickedToMe() {
  // The first choice is the agent.
  one('#bulk [name="assignee"]').selectedIndex = 0;
  one('#bulk button[value="assign"]').click();
}

function compose(kind) {
  const choice = one(`#composer [value="${kind}"]`);
  // Text that was written as a note never becomes a reply by a key.
  const body = one('#body');
  if (!choice) return;
  if (kind === 'note' || !body.value) choice.checked = true;
  body.focus();
  if (body.selectionEnd === 0) body.selectionStart = body.value.length;
}

const closeButton = () => one('#facts form:has([name="state"][value="closed"]) button[type="submit"]');
const SECOND_PRESS_MS = 1000;

/** A second press, meant for the ticket that was open, must not close the next one. */
function close() {
  const { ticket } = one('#ticket')?.dataset ?? {};
  const closed = sessionStorage.getItem('closed');
  if (closed && closed !== ticket && Date.now() - openedAt < SECOND_PRESS_MS) return;
  sessionStorage.setItem('closed', ticket);
  closeButton()?.click();
}

const forgetClosed = () => sessionStorage.removeItem('closed');
document.addEventListener('pointerdown', forgetClosed);

/** Only what is on the screen: the toast's action, or a waiting reply. Next to another ticket, not the toast's reply. */
function undo() {
  const open = one('#ticket')?.dataset.ticket;
  const toast = one('#toasts .notice:has(.undo)');
  const isElsewhere = open && toast?.dataset.ticket !== open && toast?.querySelector('[data-left-ms]');
  const waiting = [...document.querySelectorAll('.held:has([data-left-ms]) button')].at(-1);
  ((!isElsewhere && toast?.querySelector('.undo')) || waiting)?.click();
}

const TICKET_KEYS = {
  r: () => compose('reply'),
  n: () => compose('note'),
  i: assignMe,
  m: openTool,
  a: openTool,
  p: openTool,
  v: openTool,
  s: openTool,
  f: openTool,
  t: (key) => (isTicked() ? openTool(key) : one('#add-tag')?.focus()),
  c: (key) => (isTicked() ? openTool(key) : close()),
};

/** Shift also selects the rows between. */
function tick(shiftKey) {
  const box = selected()?.querySelector('input[type="checkbox"]');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
}

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  x: () => tick(false),
  X: () => tick(true),
  b: () => isTicked() && one('#bulk summary').focus(),
  z: undo,
  '/': () => one('#search')?.focus(),
  '?': () => one('#shortcuts')?.showModal(),
};

const ARROWS = { ArrowDown: 1, ArrowUp: -1 };
const PLACES = { i: '/inbox', m: '/inbox?folder=mine', n: '/inbox?folder=needs_reply' };
const SEQUENCE_MS = 1000;
let wentAt = 0;

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isPlain && key === 'Enter') send(event);
  // The browser would send the form of the selected tickets, or the reply.
  else if (key === 'Enter' && target.matches?.('.pick input, #composer [type="radio"]')) event.preventDefault();
  else if (key === 'Escape') leave(target);
  else if (isPlain && ARROWS[key] && target.closest?.('.ticket-row')) {
    event.preventDefault();
    move(ARROWS[key]);
  } else if (isPlain && shortcutsEnabled() && !isTyping(target)) act(event);
});

function act(event) {
  const { key } = event;
  const goal = Date.now() - wentAt < SEQUENCE_MS && PLACES[key];
  wentAt = key === 'g' ? Date.now() : 0;
  if (key !== 'c') forgetClosed();
  if (goal) location.assign(goal);
  else if (KEYS[key]) KEYS[key]();
  else if (!TICKET_KEYS[key]) return;
  else if (isTicked() && key !== 'r' && key !== 'n') TICKET_KEYS[key](key);
  else onTicket(key);
  event.preventDefault();
}

function leave(target) {
  if (target.matches?.('#body, #search, #add-tag')) backToRow(target);
  else if (target.closest?.('#bulk')) linkOf(one('.ticket-row:has([tabindex="0"])'))?.focus();
  else if (isTicked() && !isTyping(target)) one('#bulk').reset();
}

/** The next key is a shortcut. */
function backToRow(field) {
  field.blur();
  linkOf(selected())?.focus({ preventScroll: true });
}

function send(event) {
  const form = event.target.closest?.('form');
  const button = form?.querySelector('[data-send]');
  if (!button) return;
  event.preventDefault();
  form.requestSubmit(button);
}

document.addEventListener('submit', ({ target }) => {
  const field = target.elements.namedItem('add-tag');
  // After htmx has read the field.
  if (field && field === document.activeElement) setTimeout(() => backToRow(field));
});

document.addEventListener('focusin', ({ target }) => target.closest('.ticket-row') && keepPlace());
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (ctx.select !== '#ticket') return;
  keepPlace();
  afterOpening();
});

keepPlace();
afterOpening();
