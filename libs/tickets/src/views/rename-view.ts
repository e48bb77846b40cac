import { InvalidField, type SavedView } from '#libs/entities';
import { normalized } from '../normalized.js';

/** As many as fit in a line of the sidebar. */
const MAX_NAME_CHARACTERS = 60;

/** Throws if the view cannot have this name. */
export function renameView(view: SavedView, text: string): void {
  const name = normalized(text, 'NFC').replaceAll(/\s+/gu, ' ').trim();
  if (name === '') throw new InvalidField('name', 'required', 'name is missing');
  if (Array.from(name).length > MAX_NAME_CHARACTERS)
    throw new InvalidField('name', 'too_long', `name has more than ${MAX_NAME_CHARACTERS} characters`);
  if (/\p{Cc}|\p{Surrogate}/u.test(name))
    throw new InvalidField('name', 'malformed', 'name has characters that cannot be shown');
  view.name = name;
  view.nameKey = normalized(name, 'NFKC').toLowerCase();
}
