/* The browser completes a field as a whole. What stands before the last word is put before each that is offered. */
document.addEventListener('input', ({ target }) => {
  if (target.id !== 'search') return;
  const typed = target.value.slice(0, target.value.lastIndexOf(' ') + 1);
  const minus = target.value.at(typed.length) === '-' ? '-' : '';
  for (const option of target.list?.options ?? []) option.value = typed + minus + option.dataset.word;
});
