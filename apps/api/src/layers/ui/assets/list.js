/* The ticket list: one Tab stop, a steady place on the screen, and ticks. */
const one = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const rows = () => all('.ticket-row');

/** Tab reaches one row, and arrows the others. */
function rove() {
  const stop = one('.ticket-row:focus-within') ?? one('.ticket-row:has([aria-current])') ?? rows()[0];
  for (const row of rows()) for (const item of row.querySelectorAll('a, input')) item.tabIndex = row === stop ? 0 : -1;
}

document.addEventListener('focusin', ({ target }) => target.closest('.ticket-row') && rove());

/** A refresh moves other rows, not the one with the focus. The microtask runs after the swap and before it is drawn. */
function hold() {
  const row = one('.ticket-row:focus-within');
  const top = row?.offsetTop - one('#tickets')?.scrollTop;
  if (row) queueMicrotask(() => keep(row.id, top));
}

function keep(id, top) {
  const list = one('#tickets');
  const row = document.getElementById(id);
  if (row) {
    const wanted = row.offsetTop - top;
    const last = list.lastElementChild;
    const missing = wanted + list.clientHeight - last.offsetTop - last.offsetHeight;
    if (missing > 0) row.parentElement.style.paddingBottom = `${missing}px`;
    list.scrollTop = wanted;
  } else if (document.activeElement === document.body) {
    list.focus({ preventScroll: true });
  }
}

const boxes = () => all('#tickets [name="ticket[]"]');
let lastTicked;

/** With Shift, also the rows from the last one that was ticked. */
document.addEventListener('click', ({ target, shiftKey }) => {
  if (target.name !== 'ticket[]') return;
  const list = boxes();
  const [from, to] = [list.indexOf(lastTicked), list.indexOf(target)].toSorted((a, b) => a - b);
  if (shiftKey && from >= 0) for (const box of list.slice(from, to)) box.checked = target.checked;
  lastTicked = target;
});

document.addEventListener('change', ({ target }) => {
  if (target.matches('[data-page]')) for (const box of boxes()) box.checked = target.checked;
  count();
});
document.addEventListener('reset', () => setTimeout(count));

function count() {
  const ticked = boxes().filter(({ checked }) => checked).length;
  for (const label of all('[data-selected]')) label.textContent = `${ticked} selected`;
  const page = one('[data-page]');
  if (!page) return;
  page.checked = ticked > 0 && ticked === boxes().length;
  page.indeterminate = ticked > 0 && !page.checked;
}

document.addEventListener('htmx:before:swap', hold);
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  const isBulk = ctx.request?.method === 'POST' && ctx.request.action === '/tickets/bulk';
  if (isBulk) one('#bulk')?.reset();
  rove();
  count();
});
rove();
count();
