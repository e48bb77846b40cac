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
  // Newer text has its own request.
  if (offered && field.value === value) field.list.replaceChildren(...offered.children);
}

/* Browsers complete whole fields, so a suggestion repeats the text before the last word. */
document.addEventListener('input', ({ target }) => {
  if (target.id !== 'search') return;
  const typed = target.value.slice(0, target.value.lastIndexOf(' ') + 1);
  const minus = target.value.at(typed.length) === '-' ? '-' : '';
  for (const option of target.list?.options ?? []) option.value = typed + minus + option.dataset.word;
});

/* Completes a tag in place, as browsers complete addresses. Deleting the selected rest keeps a new, shorter tag. */
document.addEventListener('input', ({ target, inputType, isComposing }) => {
  const typed = target.value;
  if (target.dataset.completes === undefined || inputType !== 'insertText' || isComposing || !typed) return;
  const known = [...(target.list?.options ?? [])].map(({ value }) => value);
  const begins = known.filter((other) => other.toLowerCase().startsWith(typed.toLowerCase()));
  const tag = begins.find(({ length }) => length === typed.length) ?? begins[0];
  if (!tag) return;
  target.value = tag;
  target.setSelectionRange(typed.length, tag.length);
});
