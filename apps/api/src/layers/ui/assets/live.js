/* Refreshes the live parts of the page after a change. */
const DEBOUNCE_MS = 30;
const MIN_REFRESH_MS = 400;
/** Relative times grow, and a stream may be lost. */
const POLL_MS = 60_000;
/** For a page without a stream, because too many are open. */
const POLL_WITHOUT_STREAM_MS = 10_000;

let stream;
let watched = '';
let wanted;
let refreshedAt = -MIN_REFRESH_MS;
let isRefreshing = false;
let isWantedAgain = false;
let closedAt = -POLL_MS;
/** The server compares it, and reports changes from before the stream. */
let version = document.querySelector('[data-version]')?.dataset.version ?? 'unknown';

const watchOf = () => {
  const watch = document.querySelector('[data-watch]')?.dataset.watch ?? '';
  const ticket = document.querySelector('#ticket')?.dataset.ticket;
  return ticket ? `${watch} ticket=${ticket}` : watch;
};

const isInUse = (part) =>
  part.contains(document.activeElement) &&
  document.activeElement.matches('input:not([type="checkbox"]), select, textarea, dialog *');

function refresh() {
  wanted = undefined;
  if (isRefreshing) {
    isWantedAgain = true;
    return;
  }
  refreshedAt = performance.now();
  const parts = [...document.querySelectorAll('[data-live][id]')].filter((part) => !isInUse(part));
  if (parts.length === 0 || document.hidden) return;
  const [first, ...others] = parts.map((part) => `#${part.id}`);
  const selectOOB = others.map((part) => `${part}:outerMorph`).join(',');
  const options = { target: first, select: first, swap: 'outerMorph', selectOOB, refreshedAt };
  isRefreshing = true;
  void htmx.ajax('GET', liveUrl(), options).finally(refreshed);
}

function liveUrl() {
  const url = new URL(document.querySelector('[data-live-from]')?.dataset.liveFrom ?? location.href, location.href);
  // The server shows messages that arrived since the reply was held back.
  const heldBack = document.querySelector('#held-back');
  if (heldBack) url.searchParams.set('held_back', heldBack.dataset.seen);
  return url.href;
}

function refreshed() {
  isRefreshing = false;
  if (isWantedAgain) refreshSoon();
  isWantedAgain = false;
}

/** A refresh that began before a form's response is outdated, so it is dropped. */
let sending = 0;
let answeredAt = -MIN_REFRESH_MS;
const isRefresh = (ctx) => ctx.refreshedAt !== undefined;

document.addEventListener('htmx:before:request', ({ detail: { ctx } }) => {
  if (!isRefresh(ctx)) sending += 1;
});
document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
  if (isRefresh(ctx)) return;
  sending -= 1;
  answeredAt = performance.now();
});
document.addEventListener('htmx:before:swap', (event) => {
  const { ctx } = event.detail;
  if (!isRefresh(ctx) || (sending === 0 && ctx.refreshedAt > answeredAt)) return;
  event.preventDefault();
  refreshSoon();
});

function refreshSoon() {
  wanted ??= setTimeout(refresh, Math.max(DEBOUNCE_MS, refreshedAt + MIN_REFRESH_MS - performance.now()));
}

function listen() {
  const watch = document.hidden ? '' : watchOf();
  const isClosed = stream?.readyState === EventSource.CLOSED;
  if (watch === watched && (!isClosed || performance.now() < closedAt + POLL_MS)) return;
  stream?.close();
  watched = watch;
  stream = undefined;
  if (!watch) return;
  stream = new EventSource(`/live?watch=${encodeURIComponent(watch)}&seen=${encodeURIComponent(version)}`);
  stream.addEventListener('changed', refreshSoon);
  stream.addEventListener('replaced', ({ target }) => target.close());
  for (const end of ['replaced', 'error']) stream.addEventListener(end, () => (closedAt = performance.now()));
}

document.addEventListener('visibilitychange', () => {
  closedAt = -POLL_MS;
  listen();
  if (!document.hidden) refreshSoon();
});
document.addEventListener('htmx:after:swap', ({ detail }) => {
  version = detail.ctx?.response?.headers?.get('deskwire-version') ?? version;
  listen();
});
document.addEventListener('draft:changed', refreshSoon);
addEventListener('pagehide', () => stream?.close());
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
setInterval(() => {
  listen();
  refreshSoon();
  if (document.hidden) void loadUnread();
}, POLL_MS);
setInterval(() => {
  if (stream?.readyState === EventSource.CLOSED) refreshSoon();
}, POLL_WITHOUT_STREAM_MS);
listen();

function showUnread(page = document) {
  const mark = page.querySelector('#unread');
  if (!mark) return;
  const { title, icon } = mark.dataset;
  document.title = title + document.title.replace(/^\(\d+\+?\) /, '');
  const link = document.querySelector('link[rel="icon"]');
  if (link.getAttribute('href') !== icon) link.href = icon;
}

/** A hidden tab shows its title and icon. */
async function loadUnread() {
  const answer = await fetch('/live/unread').catch(() => undefined);
  if (answer?.ok) showUnread(new DOMParser().parseFromString(await answer.text(), 'text/html'));
}
document.addEventListener('htmx:after:swap', () => showUnread());

const REPLYING_SIGNAL_MS = 4000;
let signalledAt = 0;

document.addEventListener('input', ({ target }) => {
  const form = target.closest?.('#composer');
  if (!form || Date.now() - signalledAt < REPLYING_SIGNAL_MS) return;
  signalledAt = Date.now();
  const ticket = document.querySelector('#ticket')?.dataset.ticket;
  const body = new URLSearchParams({ csrf: form.elements.csrf.value });
  fetch(`/live/replying/${ticket}`, { method: 'POST', body, keepalive: true }).catch(() => undefined);
});
