/* The reference works without this script. */
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

for (const figure of all('figure.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => void copy(figure.querySelector('code').textContent, button));
  figure.append(button);
}

async function copy(text, button) {
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 1500);
}

/* Opens the chosen language in all samples. */
const LANGUAGE = 'deskwire-reference-language';
const open = (language) => {
  for (const one of all(`details[data-language="${CSS.escape(language)}"]`)) one.open = true;
};
const chosen = localStorage.getItem(LANGUAGE);
if (chosen) open(chosen);
for (const summary of all('details[data-language] > summary'))
  summary.addEventListener('click', () => localStorage.setItem(LANGUAGE, summary.parentElement.dataset.language));

const search = document.querySelector('.reference [type=search]');
const list = document.querySelector('.operations');
if (list && !search.value) search.addEventListener('input', () => filter(search.value.toLowerCase().split(/\s+/)));

function filter(words) {
  const shown = (text) => words.every((word) => text.toLowerCase().includes(word));
  for (const item of all('li', list)) item.hidden = !shown(`${item.id} ${item.textContent}`);
  const sections = all('section', list);
  for (const section of sections) section.hidden = all('li:not([hidden])', section).length === 0;
  list.querySelector('[data-none]').hidden = sections.some(({ hidden }) => !hidden);
}

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea')) return;
  event.preventDefault();
  search.focus();
});
