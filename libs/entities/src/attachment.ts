import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { InvalidField } from './errors.js';
import { isRasterType } from './raster-image.js';
import { normalized } from './stream-safe.js';

/** Of one request. */
export const MAX_ATTACHMENTS = 25;
export const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;
/** A larger picture is a download: a page with a few of them would take minutes to load. */
const MAX_SHOWN_BYTES = 5 * 1024 * 1024;
/** What every file system and every header still takes, whatever the letters. */
const MAX_NAME = 150;

/** What a double click would run. Nobody needs to receive these by way of a help desk. */
const RUNNABLE = /\.(?:exe|com|scr|pif|bat|cmd|msi|msp|ps1|vbs|vbe|jse|wsf|wsh|hta|cpl|jar|lnk|reg|dll|app|apk)[. ]*$/i;

/** They end a header, or turn the letters after them around, so that a name shows another ending than it has. */
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0001-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const SANE_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,127}$/;

export const UNKNOWN_TYPE = 'application/octet-stream';

/** What a browser may be told that a file is: none of these can act in the name of the site that it came from. */
export const SERVED_TYPES = [
  UNKNOWN_TYPE,
  'application/pdf',
  'application/zip',
  'audio/mpeg',
  'audio/ogg',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/csv',
  'text/plain',
  'video/mp4',
  'video/webm',
] as const;

/** A file that came with a message. The bytes are kept elsewhere, under the row's id. */
@Entity('attachments')
@Index(['messageId', 'id'])
export class Attachment {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey('Message', { onDelete: 'CASCADE' }) @Column('uuid') messageId: string;
  @Column('text') name: string;
  @Column('text') contentType: string;
  @Column('integer') size: number;
  @Column('timestamptz') createdAt: Date;

  servedType(): string {
    return SERVED_TYPES.find((type) => type === this.contentType) ?? UNKNOWN_TYPE;
  }
}

/** Whether a page may show it. What it says that it is has still to be checked. */
export const isShownImage = ({ contentType, size }: Pick<Attachment, 'contentType' | 'size'>): boolean =>
  isRasterType(contentType) && size > 0 && size <= MAX_SHOWN_BYTES;

/** The name as it came, if it is one that can stand in any folder and any header. `field` says which file it was. */
export function validateAttachmentName(given: string | undefined, field: string): string {
  const name = normalized((given ?? '').trim(), 'NFC');
  const fault = faultOf(name);
  if (fault) throw new InvalidField(`${field}.name`, fault[0], `the file’s name ${fault[1]}`);
  return name;
}

/** Of a mail, which is never refused: the nearest name that is one. A program’s gets an ending that nothing runs. */
export function mendAttachmentName(given: string | null, otherwise: string): string {
  const last = normalized(given ?? '', 'NFC')
    .split(/[/\\]/)
    .at(-1)!;
  const seen = Array.from(last.replaceAll('\0', '')).filter((sign) => !UNSEEN.test(sign));
  const name = seen.join('').trim();
  const short = /^\.*$/.test(name) ? otherwise : shortened(name);
  return RUNNABLE.test(short) ? `${short}.blocked` : short;
}

const MAX_ENDING = 20;
/** It may still get an ending. */
const MAX_MENDED = MAX_NAME - 10;

function shortened(name: string): string {
  const signs = Array.from(name);
  if (signs.length <= MAX_MENDED) return name;
  const ending = signs.slice(-MAX_ENDING).join('');
  return `${signs
    .slice(0, MAX_MENDED - MAX_ENDING)
    .join('')
    .trim()}${ending}`.trim();
}

/** Of a mail: what it says, if that can be a type. */
export const mendAttachmentType = (given: string): string => (SANE_TYPE.test(given) ? given : UNKNOWN_TYPE);

function faultOf(name: string): readonly [code: string, words: string] | undefined {
  if (name === '') return ['required', 'must not be empty'];
  if (name.includes('\0')) return ['nul_character', 'must not contain the NUL character'];
  if (/[/\\]/.test(name) || /^\.+$/.test(name)) return ['not_a_name', 'must be a name alone, without a path'];
  if (UNSEEN.test(name)) return ['not_printable', 'must not contain characters that cannot be seen'];
  if (Array.from(name).length > MAX_NAME) return ['too_long', `must not be longer than ${MAX_NAME} characters`];
  if (RUNNABLE.test(name)) return ['type_not_allowed', 'is that of a program, which cannot be attached'];
  return undefined;
}

/** Without its parameters. */
export function validateAttachmentType(given: string | undefined, field: string): string {
  const type = (given ?? UNKNOWN_TYPE).split(';', 1)[0]!.trim().toLowerCase();
  if (!SANE_TYPE.test(type))
    throw new InvalidField(`${field}.content_type`, 'malformed', 'the file’s content type must look like image/png');
  return type;
}
