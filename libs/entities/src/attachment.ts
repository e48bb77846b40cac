import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';

/** Of one request. */
export const MAX_ATTACHMENTS = 25;
export const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;
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
