/* Keeps the open page true: the server says that something changed, and the parts it concerns are fetched again. */
/** What happens together is fetched together. */
const DEBOUNCE_MS = 30;
/** However fast things happen, the page is fetched at most so often. */
const MIN_REFRESH_MS = 400;
/** Also without a word from the server: ages grow older by themselves, and a stream may be lost. */
const POLL_MS = 60_000;

let stream;
let watched = '';
let wanted;
let refreshedAt = -MIN_REFRESH_MS;

const watchOf = () => {
  const watch = document.querySelector('[data-watch]')?.dataset.watch ?? '';
  const ticket = document.querySelector('#ticket')?.dataset.ticket;
  return ticket ? `${watch} ticket=${ticket}` : watch;
};

/** What somebody is in the middle of using stays as it is; it is brought up to date with the next change. */
const isInUse = (part) =>
  part.contains(document.activeElement) &&
  document.activeElement.matches('input:not([type="checkbox"]), select, textarea, dialog *');

function refresh() {
  wanted = undefined;
  refreshedAt = performance.now();
  const parts = [...document.querySelectorAll('[data-live][id]')].filter((part) => !isInUse(part));
  if (parts.length === 0 || document.hidden) return;
  const [first, ...others] = parts.map((part) => `#${part.id}`);
  const selectOOB = others.map((part) => `${part}:outerMorph`).join(',');
  void htmx.ajax('GET', location.href, { target: first, select: first, swap: 'outerMorph', selectOOB });
}

function refreshSoon() {
  wanted ??= setTimeout(refresh, Math.max(DEBOUNCE_MS, refreshedAt + MIN_REFRESH_MS - performance.now()));
}

function listen() {
  const watch = document.hidden ? '' : watchOf();
  if (watch === watched && stream?.readyState !== EventSource.CLOSED) return;
  stream?.close();
  watched = watch;
  stream = undefined;
  if (!watch) return;
  stream = new EventSource(`/live?watch=${encodeURIComponent(watch)}`);
  stream.addEventListener('changed', refreshSoon);
}

document.addEventListener('visibilitychange', () => {
  listen();
  if (!document.hidden) refreshSoon();
});
document.addEventListener('htmx:after:swap', listen);
addEventListener('pagehide', () => stream?.close());
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
setInterval(() => {
  listen();
  refreshSoon();
}, POLL_MS);
listen();

/* Others are told while an answer is being typed. */
const REPLYING_SIGNAL_MS = 4000;
let toldAt = 0;

document.addEventListener('input', ({ target }) => {
  const form = target.closest?.('#composer');
  if (!form || Date.now() - toldAt < REPLYING_SIGNAL_MS) return;
  toldAt = Date.now();
  const ticket = document.querySelector('#ticket')?.dataset.ticket;
  const body = new URLSearchParams({ csrf: form.elements.csrf.value });
  fetch(`/live/replying/${ticket}`, { method: 'POST', body, keepalive: true }).catch(() => undefined);
});
