/* Opens at the first unread message, and loads earlier ones in place. */
const one = (selector, root = document) => root.querySelector(selector);
const messagesOf = (root) => [...root.querySelectorAll('#thread > ol:first-of-type > li')];

/** On a phone, the page scrolls instead of the conversation. */
function scrollToNew() {
  const place = document.getElementById(location.hash.slice(1)) ?? one('#thread [data-unread]');
  if (place?.closest('#thread')) place.scrollIntoView();
  else scrollToEnd();
  keepEnd.disconnect();
  paneHeight = 0;
  if (one('[data-conversation]')) keepEnd.observe(one('[data-conversation]'));
}

const scrollToEnd = () => [...document.querySelectorAll('#thread li')].at(-1)?.scrollIntoView({ block: 'nearest' });

/** The end of the thread stays in view while the composer grows. */
let paneHeight = 0;
const END_PX = 8;
const keepEnd = new ResizeObserver(([{ target }]) => {
  const shrunkBy = paneHeight - target.clientHeight;
  const wasAtEnd = target.scrollTop + paneHeight >= target.scrollHeight - END_PX;
  if (shrunkBy > 0 && wasAtEnd) target.scrollTop += shrunkBy;
  paneHeight = target.clientHeight;
});

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-earlier]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  if (link.ariaBusy !== 'true') void loadEarlier(link);
});

/** Keeps the scroll position. The focus moves to the next link. */
async function loadEarlier(link) {
  link.ariaBusy = 'true';
  try {
    const answer = await fetch(link.href, { credentials: 'same-origin' });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!answer.ok || answer.redirected) return location.assign(link.href);
    showEarlier(page);
  } catch {
    location.assign(link.href);
  }
}

function showEarlier(page) {
  const conversation = one('[data-conversation]');
  const height = conversation.scrollHeight;
  const list = earlierList();
  list.prepend(...messagesOf(page).filter(({ id }) => !document.getElementById(id)));
  const next = one('#history > p', page);
  one('#history > p')?.remove();
  if (next) one('#history').prepend(next);
  htmx.process(list);
  conversation.scrollTop += conversation.scrollHeight - height;
  (one('#history a[data-earlier]') ?? conversation).focus({ preventScroll: true });
}

function earlierList() {
  const known = one('#history > ol');
  if (known) return known;
  const list = document.createElement('ol');
  list.ariaLabel = 'Earlier messages';
  one('#history').append(list);
  return list;
}

/** A refresh replaces the newest messages. Older ones are kept as earlier messages. */
let shown = { thread: null, messages: [], known: new Set() };
const rememberShown = () =>
  (shown = { thread: one('#thread'), messages: messagesOf(document), known: new Set(entries().map(endOf)) });

const entries = () => [...document.querySelectorAll('[data-conversation] li[id]')];
/** A scheduled reply and the message that it becomes end alike. */
const endOf = ({ id }) => id.slice(-23);

function keepShown() {
  const [first] = messagesOf(document);
  if (!first || shown.thread !== one('#thread')) return;
  const place = shown.messages.findIndex(({ id }) => id === first.id);
  const gone = shown.messages.slice(0, Math.max(place, 0)).filter(({ id }) => !document.getElementById(id));
  if (gone.length > 0) earlierList().append(...gone);
}

/** Later messages are below the first mark, so only that one stays. */
function markFirstNew() {
  for (const message of [...document.querySelectorAll('#thread [data-unread]')].slice(1))
    message.removeAttribute('data-unread');
}

document.addEventListener('htmx:before:swap', rememberShown);
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  keepShown();
  markFirstNew();
  if (ctx.select === '#ticket') scrollToNew();
  else showLatest(ctx.request.action?.endsWith('/messages') ?? false);
});

/** A message held a reply back: scrolls to it when it arrives, and after each submit. */
let awaitedBefore = null;
function showLatest(isSubmit) {
  const awaited = document.getElementById(one('#held-back')?.dataset.shows ?? '');
  if (awaited && (isSubmit || awaited.id !== awaitedBefore)) awaited.scrollIntoView();
  else if (isSubmit) scrollToEnd();
  else if (shown.thread === one('#thread')) announceNew();
  awaitedBefore = awaited?.id ?? null;
}

/** Messages below the fold are announced, because scrolling would take the reader away. */
let arrived = [];
function announceNew() {
  const added = entries().filter((entry) => entry.matches('.message:not(.held)') && !shown.known.has(endOf(entry)));
  arrived.push(...added);
  showArrived();
}

function showArrived() {
  const button = one('[data-arrived]');
  if (!button) return;
  const fold = one('#composer').getBoundingClientRect().top;
  const last = arrived.at(-1);
  if (!last?.isConnected || last.getBoundingClientRect().top < fold - END_PX) arrived = [];
  const text = `${arrived.length} new ${arrived.length === 1 ? 'message' : 'messages'} ↓`;
  button.hidden = arrived.length === 0;
  if (!button.hidden && button.textContent !== text) button.textContent = text;
}

document.addEventListener('scroll', () => arrived.length > 0 && showArrived(), true);
document.addEventListener('click', ({ target }) => {
  if (!target.closest?.('[data-arrived]')) return;
  arrived[0]?.scrollIntoView();
  arrived = [];
  showArrived();
  one('[data-conversation]').focus({ preventScroll: true });
});

scrollToNew();

/** Tab would begin where the page has scrolled to, behind the skip links. */
function startTabAtTop() {
  if (location.hash || document.activeElement !== document.body) return;
  document.body.tabIndex = -1;
  document.body.focus({ preventScroll: true });
  document.body.removeAttribute('tabindex');
}

startTabAtTop();
