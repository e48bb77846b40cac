import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Per request. */
export const MAX_ATTACHMENTS = 25;
export const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Content types that are safe to serve: a browser runs no script of such a file in the origin of the console. */
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

/** A file of a message. The file store has its bytes under the id of the row. */
@Entity('attachments')
export class Attachment {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  @ForeignKey('Message', { onDelete: 'CASCADE' }) @Column('uuid') messageId: string;
  @Column('text') name: string;
  @Column('text') contentType: string;
  @Column('integer') size: number;
  @Column('timestamptz') createdAt: Date;

  servedType(): string {
    return SERVED_TYPES.find((type) => type === this.contentType) ?? UNKNOWN_TYPE;
  }
}
