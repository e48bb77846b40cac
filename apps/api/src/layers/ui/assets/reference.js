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
const PAUSE_MS = 120;

search.addEventListener('input', () => void find(search.value));

/* Shows what the server finds while a person types. It also searches the text of the guides. */
async function find(wanted) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  if (location.pathname !== '/docs' || wanted !== search.value) return;
  const page = await pageOf(`/docs?q=${encodeURIComponent(wanted)}`);
  const found = page.querySelector('main');
  if (found && wanted === search.value) document.querySelector('main').replaceWith(found);
}

async function pageOf(address, options) {
  const response = await fetch(address, options);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea')) return;
  event.preventDefault();
  search.focus();
});

/* The token is kept for this tab and this session: another session has another CSRF token. */
const TOKEN = 'deskwire-reference-token';
const PLACEHOLDER = /\$TOKEN\b|\$\{process\.env\.TOKEN\}|\{os\.environ\['TOKEN'\]\}/g;
const form = document.querySelector('.own-token form');
const { session, token } = JSON.parse(sessionStorage.getItem(TOKEN) ?? '{}');
if (form && session === form.elements.csrf.value) use(token);
else sessionStorage.removeItem(TOKEN);

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void createToken();
});

async function createToken() {
  const page = await pageOf(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  const created = page.querySelector('[data-token]')?.textContent;
  const fault = page.querySelector('.fault, [role=alert]')?.textContent ?? 'Reload the page and try again.';
  form.querySelector('[role=alert]').textContent = created ? '' : fault;
  if (!created) return;
  sessionStorage.setItem(TOKEN, JSON.stringify({ session: form.elements.csrf.value, token: created }));
  use(created);
}

/* Leaves the files of guides alone, which a reader saves. */
function use(own) {
  for (const code of all('.shows .code code, .code.sh code'))
    code.textContent = code.textContent.replaceAll(PLACEHOLDER, own);
  form.parentElement.outerHTML =
    '<p class="own-token">The samples contain your token, for one day at most. <button type="button">Forget it</button></p>';
  document.querySelector('.own-token button').addEventListener('click', forget);
}

function forget() {
  sessionStorage.removeItem(TOKEN);
  location.reload();
}
