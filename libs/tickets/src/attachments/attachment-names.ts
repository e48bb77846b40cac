import { InvalidField, UNKNOWN_TYPE } from '#libs/entities';
import { normalized } from '../normalized.js';

/** Short enough for every file system and header, in any script. In characters. */
const MAX_NAME = 150;

/** Files that a double click runs. */
const RUNNABLE = /\.(?:exe|com|scr|pif|bat|cmd|msi|msp|ps1|vbs|vbe|jse|wsf|wsh|hta|cpl|jar|lnk|reg|dll|app|apk)[. ]*$/i;

/** Control characters end a header; direction marks make a name show another extension than it has. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0001-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const VALID_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,127}$/;

/** Returns the name if it is valid in any folder and any header. `field` names the file in the error. */
export function validateAttachmentName(given: string | undefined, field: string): string {
  const name = normalized((given ?? '').trim(), 'NFC');
  const fault = faultIn(name);
  if (fault) throw new InvalidField(`${field}.name`, fault[0], `the file’s name ${fault[1]}`);
  return name;
}

/** The nearest valid name, for files of emails, which are never rejected. Programs get the extension `.blocked`. */
export function mendAttachmentName(given: string | null, otherwise: string): string {
  const last = normalized(given ?? '', 'NFC')
    .split(/[/\\]/)
    .at(-1)!;
  const seen = Array.from(last.replaceAll('\0', '')).filter((sign) => !UNPRINTABLE.test(sign));
  const name = seen.join('').trim();
  const short = /^\.*$/.test(name) ? otherwise : shortened(name);
  return RUNNABLE.test(short) ? `${short}.blocked` : short;
}

const MAX_EXTENSION = 20;
/** Leaves room for `.blocked`. */
const MAX_MENDED = MAX_NAME - 10;

function shortened(name: string): string {
  const signs = Array.from(name);
  if (signs.length <= MAX_MENDED) return name;
  const stem = signs.slice(0, MAX_MENDED - MAX_EXTENSION).join('');
  return `${stem.trim()}${signs.slice(-MAX_EXTENSION).join('')}`.trim();
}

export const mendAttachmentType = (given: string): string => (VALID_TYPE.test(given) ? given : UNKNOWN_TYPE);

function faultIn(name: string): readonly [code: string, words: string] | undefined {
  if (name === '') return ['required', 'must not be empty'];
  if (name.includes('\0')) return ['nul_character', 'must not contain the NUL character'];
  if (/[/\\]/.test(name) || /^\.+$/.test(name)) return ['not_a_name', 'must be a name alone, without a path'];
  if (UNPRINTABLE.test(name)) return ['not_printable', 'must not contain characters that cannot be seen'];
  if (Array.from(name).length > MAX_NAME) return ['too_long', `must not be longer than ${MAX_NAME} characters`];
  if (RUNNABLE.test(name)) return ['type_not_allowed', 'is that of a program, which cannot be attached'];
  return undefined;
}

/** Returns the type without its parameters. */
export function validateAttachmentType(given: string | undefined, field: string): string {
  const type = (given ?? UNKNOWN_TYPE).split(';', 1)[0]!.trim().toLowerCase();
  if (!VALID_TYPE.test(type))
    throw new InvalidField(`${field}.content_type`, 'malformed', 'the file’s content type must look like image/png');
  return type;
}
