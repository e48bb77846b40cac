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

/** Opens the focused row's ticket first, if it is another one. */
let afterOpening;

function onTicket(action) {
  const focused = one('.ticket-row:focus-within');
  const link = linkOf(focused);
  if (!link || link.ariaCurrent) ACTIONS[action]();
  else if (link.hasAttribute('hx-get')) {
    afterOpening = { action, ticket: focused.dataset.ticket };
    link.click();
  } else {
    sessionStorage.setItem('action', action);
    location.assign(link.href);
  }
}

const onTickets = (action) => (isTicked() ? ACTIONS[action]() : onTicket(action));

const tool = (letter) => one(isTicked() ? `#bulk [data-tool="${letter}"]` : `[data-tool="${letter}"]:not(#bulk *)`);

function openTool(letter) {
  const menu = tool(letter);
  if (menu?.matches('button')) menu.click();
  else if (menu) openMenu(menu);
}

/** The focus is on the current value, so that Enter changes nothing. */
function openMenu(menu) {
  menu.openedFrom = document.activeElement;
  menu.open = true;
  const field = menu.querySelector('.sheet :is([aria-pressed="true"], select, input:not([type="hidden"]))');
  (field ?? menu.querySelector('.sheet :is(button, a)'))?.focus();
}

const assignMe = () => (isTicked() ? assignTickedToMe() : one('[data-assign-me]:not(#bulk *)')?.click());

function assignTickedToMe() {
  const choice = one('#bulk [data-assign-me]');
  choice.value = choice.dataset.assignMe;
  one('#bulk .sheet [value="assign"]').click();
}

function compose(kind) {
  const choice = one(`#composer [value="${kind}"]`);
  // Text that was written as a note never becomes a reply by a key.
  if (choice && (kind === 'note' || !one('#body').value)) choice.checked = true;
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
  assignMe,
  assign: () => openTool('a'),
  priority: () => openTool('p'),
  move: () => openTool('v'),
  snooze: () => openTool('s'),
  tag: () => (isTicked() ? openTool('t') : one('#add-tag')?.focus()),
  close: () => (isTicked() ? openTool('c') : closeButton()?.click()),
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
  r: () => onTicket('reply'),
  n: () => onTicket('note'),
  i: () => onTickets('assignMe'),
  a: () => onTickets('assign'),
  p: () => onTickets('priority'),
  t: () => onTickets('tag'),
  v: () => onTickets('move'),
  s: () => onTickets('snooze'),
  c: () => onTickets('close'),
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
  else if (key === 'Escape') leave(target);
  else if (isPlain && ARROWS[key] && target.closest?.('.ticket-row')) {
    event.preventDefault();
    move(ARROWS[key]);
  } else if (isPlain && shortcutsEnabled() && !isTyping(target)) act(event);
});

function act(event) {
  const goal = Date.now() - wentAt < SEQUENCE_MS && PLACES[event.key];
  wentAt = event.key === 'g' ? Date.now() : 0;
  if (goal) {
    location.assign(goal);
  } else if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
}

function leave(target) {
  if (target.matches?.('#body, #search, #add-tag')) backToRow(target);
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
  const { action, ticket } = afterOpening ?? {};
  afterOpening = undefined;
  if (action && ticket === one('#ticket')?.dataset.ticket) ACTIONS[action]();
});

keepPlace();
const waiting = sessionStorage.getItem('action');
sessionStorage.removeItem('action');
if (waiting && ACTIONS[waiting]) ACTIONS[waiting]();
