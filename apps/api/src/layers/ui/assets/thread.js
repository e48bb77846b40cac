/* Opens at the first unread message, and loads earlier ones in place. */
const one = (selector, root = document) => root.querySelector(selector);
const messagesOf = (root) => [...root.querySelectorAll('#thread > ol:first-of-type > li')];

function scrollToNew() {
  const unread = one('#thread [data-unread]');
  if (unread) scrollToMessage(unread);
  else scrollToEnd();
}

function scrollToMessage(message) {
  const conversation = one('[data-conversation]');
  conversation.scrollTop += message.getBoundingClientRect().top - conversation.getBoundingClientRect().top - 40;
}

function scrollToEnd() {
  const conversation = one('[data-conversation]');
  if (conversation) conversation.scrollTop = conversation.scrollHeight;
}

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
let shown = { thread: null, messages: [] };
const rememberShown = () => (shown = { thread: one('#thread'), messages: messagesOf(document) });

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
  else showLatest(Boolean(ctx.sourceElement?.closest?.('#composer')));
});

/**
 * A message held a reply back: scrolls to it when it arrives, and after each submit. Otherwise a submit scrolls to the
 * end.
 */
let awaitedBefore = null;
function showLatest(isSubmit) {
  const awaited = document.getElementById(one('#held-back')?.dataset.shows ?? '');
  if (awaited && (isSubmit || awaited.id !== awaitedBefore)) {
    scrollToMessage(awaited);
    awaited.scrollIntoView({ block: 'nearest' });
  } else if (isSubmit) scrollToEnd();
  awaitedBefore = awaited?.id ?? null;
}

scrollToNew();
