/* Adds pasting, dropping and a list of files. The browser's field works without it. */
const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function formAt(target) {
  const form = target.closest?.('form') ?? one('#composer', target.closest?.('#ticket') ?? document.createElement('p'));
  return form?.elements.files ? form : null;
}

document.addEventListener('paste', (event) => {
  const form = formAt(event.target);
  const { files, types } = event.clipboardData;
  // A word processor adds a picture of its text.
  if (!form || files.length === 0 || types.includes('text/plain')) return;
  event.preventDefault();
  add(form, [...files].map(withNameOfNow));
});

/** Every pasted picture is called image.png. */
function withNameOfNow(file) {
  const now = new Date().toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ');
  const ending = /\.\w+$/.exec(file.name)?.[0] ?? '';
  return file.name === `image${ending}` ? new File([file], `Pasted ${now}${ending}`, { type: file.type }) : file;
}

document.addEventListener('dragover', (event) => {
  const form = event.dataTransfer.types.includes('Files') && formAt(event.target);
  if (!form) return;
  event.preventDefault();
  form.dataset.dropping = '';
});
document.addEventListener('dragleave', ({ target, relatedTarget }) => {
  const form = formAt(target);
  if (form && !(relatedTarget && formAt(relatedTarget) === form)) delete form.dataset.dropping;
});
document.addEventListener('drop', (event) => {
  const form = formAt(event.target);
  if (!form || event.dataTransfer.files.length === 0) return;
  event.preventDefault();
  delete form.dataset.dropping;
  add(form, [...event.dataTransfer.files]);
});

const add = (form, files) => choose(form, [...form.elements.files.files, ...files]);

function choose(form, files) {
  const chosen = new DataTransfer();
  for (const file of files) chosen.items.add(file);
  const field = form.elements.files;
  field.files = chosen.files;
  for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }));
}

document.addEventListener('change', ({ target }) => {
  if (target.name === 'files' && target.form) list(target.form);
});

function list(form) {
  const place = one('[data-chosen]', form);
  const files = [...form.elements.files.files];
  place.hidden = files.length === 0;
  place.replaceChildren(...files.map((file) => entryOf(form, file)));
}

function entryOf(form, file) {
  const entry = document.createElement('li');
  entry.dataset.file = keyOf(file);
  const name = document.createElement('span');
  name.className = 'clip';
  name.textContent = file.name;
  entry.append(name, removeButton(form, file));
  void showThumbnail(entry, file);
  return entry;
}

function removeButton(form, file) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain slim';
  button.textContent = '×';
  button.ariaLabel = `Remove ${file.name}`;
  button.addEventListener('click', () => {
    choose(
      form,
      [...form.elements.files.files].filter((other) => other !== file),
    );
    form.elements.files.focus();
  });
  return button;
}

/** The page must not hold a picture twice. */
const THUMBNAIL_PX = 48;
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const thumbnails = new Map();
const keyOf = ({ name, size }) => `${size}:${name}`;

async function showThumbnail(entry, file) {
  if (!PICTURES.has(file.type)) return;
  const picture = await createImageBitmap(file, { resizeHeight: THUMBNAIL_PX }).catch(() => undefined);
  if (!picture) return;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: Math.min(picture.width, 4 * THUMBNAIL_PX), height: picture.height });
  canvas.getContext('2d').drawImage(picture, 0, 0);
  picture.close();
  thumbnails.set(keyOf(file), canvas.toDataURL());
  illustrate(entry);
}

function illustrate(entry) {
  const source = thumbnails.get(entry.dataset.file);
  if (!source || one('img', entry)) return;
  const picture = document.createElement('img');
  picture.alt = '';
  picture.src = source;
  entry.prepend(picture);
}

/** The server lists the files of a draft. */
document.addEventListener('draft:shown', () => all('[data-file]').forEach(illustrate));

/** Not the picture that it claims to be. */
document.addEventListener(
  'error',
  ({ target }) => {
    if (!target.matches?.('.picture img')) return;
    target.closest('.picture').classList.remove('picture');
    target.remove();
  },
  true,
);
