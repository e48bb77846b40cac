import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { InvalidField } from './errors.js';
import { Message } from './message.js';

export const MOST_ATTACHMENTS = 25;
export const MOST_ATTACHMENT_BYTES = 20 * 1024 * 1024;

/** What a double click would run. Nobody needs to receive these by way of a help desk. */
const RUNNABLE = /\.(?:exe|com|scr|pif|bat|cmd|msi|msp|ps1|vbs|vbe|jse|wsf|wsh|hta|cpl|jar|lnk|reg|dll|app|apk)$/i;

const SANE_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,127}$/i;

/** A file that came with a message. The bytes are kept elsewhere, under the row's id. */
@Entity('attachments')
@Index(['messageId', 'id'])
export class Attachment {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Message, { onDelete: 'CASCADE' }) @Column('uuid') messageId: string;
  @Column('text') name: string;
  @Column('text') contentType: string;
  @Column('integer') size: number;
  @Column('timestamptz') createdAt: Date;
}

/** A name that can stand in any folder and any header; what a path or a control character would do is taken away. */
export function attachmentName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  // oxlint-disable-next-line no-control-regex
  const safe = last.replaceAll(/[\u0000-\u001f\u007f<>:"|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '_').trim();
  const name = Array.from(safe.replace(/^\.+/, '')).slice(-150).join('') || 'file';
  if (RUNNABLE.test(name.replace(/[. ]+$/, '')))
    throw new InvalidField('files', 'type_not_allowed', `${name} is a program, which cannot be attached`);
  return name;
}

export const attachmentType = (given: string | undefined): string =>
  given !== undefined && SANE_TYPE.test(given) ? given.toLowerCase() : 'application/octet-stream';
