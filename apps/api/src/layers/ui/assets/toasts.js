const TOAST_MS = 8000;
const UNDO_TOAST_MS = 30_000;
const TICK_MS = 250;

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function endOf(element, ms) {
  element.dataset.endsAt ??= Date.now() + ms;
  return Number(element.dataset.endsAt);
}

function tick() {
  for (const countdown of all('[data-left-ms]')) count(countdown);
  for (const toast of all('#toasts .notice')) if (isOver(toast)) toast.remove();
}

function count(countdown) {
  const { leftMs, before, over } = countdown.dataset;
  const seconds = Math.ceil((endOf(countdown, Number(leftMs)) - Date.now()) / 1000);
  const text = seconds > 0 ? `${before} ${seconds} s` : over;
  if (countdown.textContent !== text) countdown.textContent = text;
}

/** A toast under the pointer stays, unless its undo has expired. */
function isOver(toast) {
  const countdown = toast.querySelector('[data-left-ms]');
  if (countdown) return endOf(countdown) <= Date.now();
  const ms = toast.querySelector('.undo') ? UNDO_TOAST_MS : TOAST_MS;
  return endOf(toast, ms) <= Date.now() && !toast.matches(':hover, :focus-within');
}

/** Next to another ticket, only a waiting reply can be undone. */
function removeOfOtherTicket() {
  const { ticket } = document.querySelector('#ticket').dataset;
  for (const toast of all('#toasts .notice[data-ticket]'))
    if (toast.dataset.ticket !== ticket && !toast.querySelector('[data-left-ms]')) toast.remove();
}

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (ctx.select === '#ticket') removeOfOtherTicket();
  tick();
});
setInterval(tick, TICK_MS);
tick();
