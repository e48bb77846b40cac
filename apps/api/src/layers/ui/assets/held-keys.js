/* Keys pressed while a page loads, or while an action by key is under way, are meant for the page after it, so they wait. */
const HELD = /^(.|Enter|Escape|Backspace|Delete|Arrow\w+)$/u;
const MAX_HELD_MS = 5000;
const held = [];
const running = new Set();
let isByKey = false;

addEventListener('pointerdown', () => (isByKey = false), true);
addEventListener('keydown', hold, true);

function hold(event) {
  const { key, isTrusted, isComposing } = event;
  if (!isTrusted) return;
  isByKey = true;
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && key !== 'Enter';
  // Text for a message is never held, because keys are dropped when the action fails. In a page that loads, fields take text.
  const fields = running.has(loading) ? 'input, textarea' : '#body';
  const isWriting = held.length === 0 && !sessionStorage.getItem('held') && event.target.matches(fields);
  if (running.size + held.length === 0 || isWriting || isCommand || isComposing || !HELD.test(key)) return;
  held.push(event);
  event.preventDefault();
  event.stopImmediatePropagation();
}

document.addEventListener('htmx:before:request', ({ detail: { ctx } }) => {
  if (!isByKey || ctx.refreshedAt !== undefined) return;
  running.add(ctx);
  setTimeout(end, MAX_HELD_MS, ctx, false);
});
// A form that the swap removes does not report the end of its request.
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => end(ctx, ctx.response?.status < 400));
document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => end(ctx, false));

/** The next page takes the keys over. An action that opens it has ended well. */
let opening;
window.navigation?.addEventListener('navigate', ({ destination, downloadRequest }) => {
  if (!isByKey || destination.sameDocument || downloadRequest) return;
  opening = {};
  running.add(opening);
  setTimeout(end, MAX_HELD_MS, opening, false);
});

addEventListener('pagehide', () => {
  const keys = held.map(({ key, ctrlKey, metaKey }) => ({ key, ctrlKey, metaKey, bubbles: true, cancelable: true }));
  if (running.has(opening)) sessionStorage.setItem('held', JSON.stringify(keys));
});

/** Keys wait for the first frame, when the browser has focused the first field. The page to sign in takes over none. */
function takeOver() {
  const keys = JSON.parse(sessionStorage.getItem('held') ?? '[]');
  sessionStorage.removeItem('held');
  isByKey ||= keys.length > 0;
  if (document.querySelector('[data-shortcuts="on"]')) held.unshift(...keys);
  requestAnimationFrame(() => end(loading, true));
}

function end(ctx, isDone) {
  if (!running.delete(ctx)) return;
  if (!isDone && !running.has(opening)) held.length = 0;
  setTimeout(replay);
}

/** One at a time, because each may start a request. */
function replay() {
  if (running.size > 0 || held.length === 0) return;
  const event = held.shift();
  const target = document.activeElement;
  if (target.dispatchEvent(new KeyboardEvent('keydown', event))) perform(target, event.key);
  setTimeout(replay);
}

const COMMANDS = { Enter: 'insertLineBreak', Backspace: 'delete', Delete: 'forwardDelete' };

/** Scripts cannot press keys, so this does what the browser would do. */
function perform(target, key) {
  if (key === 'Enter' && target.matches('input'))
    target.form?.requestSubmit(target.form.querySelector('[type="submit"]'));
  else if (key === 'Enter' && !target.matches('textarea')) target.click();
  else if (target.matches('select')) choose(target, key.toLowerCase());
  else if (key.length === 1 || COMMANDS[key]) document.execCommand(COMMANDS[key] ?? 'insertText', false, key);
}

function choose(select, letter) {
  const option = [...select.options].find(({ text }) => text.toLowerCase().startsWith(letter));
  if (option) option.selected = true;
}

const loading = {};
running.add(loading);
setTimeout(end, MAX_HELD_MS, loading, true);
// After the other scripts have run.
addEventListener('DOMContentLoaded', takeOver);
