/* Menus close by Escape, by a click elsewhere and when their form is sent. Arrows and digits choose. */
const openMenu = () => document.querySelector('details.menu[open]');

/** A menu that a shortcut opened gives the focus back to where it was. */
function close(menu) {
  const hadFocus = menu.contains(document.activeElement);
  menu.open = false;
  menu.dispatchEvent(new Event('menu:left', { bubbles: true }));
  const before = menu.openedFrom?.isConnected ? menu.openedFrom : menu.querySelector('summary');
  menu.openedFrom = undefined;
  if (hadFocus) before.focus();
}

/** The focus is on the current value, so that Enter changes nothing, or else on the first field or choice. */
function enter({ target: menu }) {
  if (!menu.matches('details.menu[open]') || menu.querySelector('.sheet :focus')) return;
  const first = '.sheet :is(select, input:not([type="hidden"]), button, a)';
  (menu.querySelector('.sheet [aria-pressed="true"]') ?? menu.querySelector(first))?.focus();
}

document.addEventListener('toggle', enter, true);

/** Half a time in a closed menu blocks the form without a visible reason. A search begins again. */
function clear({ target: menu }) {
  if (menu.open) return;
  for (const field of menu.querySelectorAll('[type="datetime-local"]:invalid, [type="search"]')) field.value = '';
}

document.addEventListener('toggle', clear, true);

document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(target)) close(menu);
});

document.addEventListener('submit', ({ target, submitter }) => {
  const menu = openMenu();
  if (menu && [target, submitter, document.activeElement].some((element) => menu.contains(element))) close(menu);
});

/* In the capture phase: Escape closes a menu before it does anything else. */
document.addEventListener(
  'keydown',
  (event) => {
    const menu = openMenu();
    if (!menu || document.querySelector('dialog[open]')) return;
    const { key, target } = event;
    const isInside = menu.contains(target);
    const isField = target.matches('input, textarea');
    if (key === 'Escape') close(menu);
    else if (isInside && key === 'Enter' && target.matches('select')) submit(target);
    else if (isInside && key === 'Enter' && target.matches('[type="search"]')) chooseFirst(menu);
    else if (isInside && key === 'Enter' && target.matches('[data-text]')) target.click();
    else if (isInside && ARROWS[key] && !target.matches('input:not([type="search"]), textarea, select'))
      step(menu, key);
    else if (isField || !choose(menu, key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

function chooseFirst(menu) {
  const choice = menu.querySelector('[data-text]');
  if (choice) choice.click();
  else close(menu);
}

function submit(select) {
  const scope = select.closest('.sheet form') ?? select.closest('.sheet');
  if (select.value) select.form.requestSubmit(scope.querySelector('[type="submit"]'));
}

const ARROWS = { ArrowDown: 1, ArrowUp: -1 };

function step(menu, key) {
  const items = [...menu.querySelectorAll('.sheet :is(a, button, select, input:not([type="hidden"]))')];
  const shown = items.filter((item) => item.checkVisibility());
  const place = shown.indexOf(document.activeElement);
  shown.at((Math.max(place, key === 'ArrowUp' ? 0 : -1) + ARROWS[key]) % shown.length)?.focus();
}

/** Whether the key is the digit of a choice. */
function choose(menu, key) {
  const choice = /^\d$/.test(key) && menu.querySelector(`[data-digit="${key}"]`);
  if (!choice) return false;
  if (choice.matches('option')) {
    choice.selected = true;
    submit(choice.parentElement);
  } else choice.click();
  return true;
}
