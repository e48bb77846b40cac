/* Offers agents after `@` in a note. They are the choices of the assignee, so nothing is loaded. */
const TYPED = /(?<![\p{L}\p{N}._%+@/-])@([^\s@]*)$/u;
const MAX_OFFERED = 6;
const menu = document.createElement('div');
menu.className = 'menu mentions';
menu.innerHTML = '<div class="sheet stack" id="mentions" role="listbox" aria-label="Agents"></div>';
const list = menu.firstElementChild;

const localPart = (email) => email.slice(0, email.lastIndexOf('@'));
const textBefore = (field) => field.value.slice(0, field.selectionStart);
const agents = () =>
  [...(document.querySelector('#properties [name="assignee"]')?.options ?? [])].filter(({ value }) => /@/.test(value));

/** Escape closes the list until another `@` is typed. */
let isDismissed = false;

function offer(field, data) {
  close();
  const [, typed] = (field.form.elements.kind.value === 'note' && TYPED.exec(textBefore(field))) || [];
  if (typed === undefined || data === '@') isDismissed = false;
  if (typed === undefined || isDismissed) return;
  const begins = (text) => text.toLowerCase().startsWith(typed.toLowerCase());
  const found = agents().filter(({ value, label }) => [value, label, ...label.split(' ')].some(begins));
  if (found.length === 0) return;
  list.replaceChildren(...found.slice(0, MAX_OFFERED).map(optionOf));
  field.before(menu);
  field.setAttribute('aria-controls', list.id);
  select(field, list.firstElementChild);
}

function optionOf({ value, label }, place) {
  const option = document.createElement('button');
  Object.assign(option, {
    id: `mention-${place}`,
    type: 'button',
    className: 'plain',
    role: 'option',
    value,
    tabIndex: -1,
  });
  option.append(Object.assign(document.createElement('strong'), { dir: 'auto', textContent: label }), ` ${value}`);
  return option;
}

function select(field, option) {
  for (const other of list.children) other.ariaSelected = String(other === option);
  field.setAttribute('aria-activedescendant', option.id);
}

function close() {
  for (const name of ['aria-controls', 'aria-activedescendant']) menu.nextElementSibling?.removeAttribute(name);
  menu.remove();
}

function dismiss() {
  isDismissed = true;
  close();
}

/** A name that several agents have mentions none of them, so the whole address is inserted. */
function choose(field, { value: email }) {
  const isShared = agents().filter(({ value }) => localPart(value) === localPart(email)).length > 1;
  const end = field.selectionStart;
  field.setRangeText(`@${isShared ? email : localPart(email)} `, textBefore(field).lastIndexOf('@'), end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

const ARROWS = { ArrowDown: 1, ArrowUp: -1 };

/* In the capture phase: Escape closes the menu before it leaves the field. */
document.addEventListener(
  'keydown',
  (event) => {
    const { key, target } = event;
    if (!menu.isConnected || target.id !== 'body' || event.isComposing || event.ctrlKey || event.metaKey) return;
    const options = [...list.children];
    const place = options.findIndex(({ ariaSelected }) => ariaSelected === 'true');
    if (ARROWS[key]) select(target, options.at((place + ARROWS[key]) % options.length));
    else if (key === 'Enter' || key === 'Tab') choose(target, options[place]);
    else if (key === 'Escape') dismiss();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

document.addEventListener('input', ({ target, data }) => target.matches('#composer #body') && offer(target, data));
document.addEventListener('focusout', close);
menu.addEventListener('mousedown', (event) => {
  const option = event.target.closest('[role="option"]');
  if (option) choose(menu.nextElementSibling, option);
  event.preventDefault();
});
