/* Offers what a field may hold while somebody types. The field works without it. */
const ASK_AFTER_MS = 200;
let asking;

document.addEventListener('input', ({ target }) => {
  if (!target.dataset.suggest) return;
  clearTimeout(asking);
  asking = setTimeout(() => void suggest(target), ASK_AFTER_MS);
});

async function suggest(field) {
  const { value } = field;
  const answer = await fetch(`${field.dataset.suggest}?q=${encodeURIComponent(value)}`).catch(() => undefined);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const offered = page.querySelector('datalist');
  // What was typed meanwhile is asked for next.
  if (offered && field.value === value) field.list.replaceChildren(...offered.children);
}
