import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A file that no attachment names: it is just being uploaded, or its attachment is gone. Written before the first byte
 * is, and by a trigger when an attachment is deleted, however: so no file is ever without a row that tells of it.
 */
@Entity('stray_files')
@Index(['dueAt'])
export class StrayFile {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  /** From then on nobody can want it any more. */
  @Column('timestamptz') dueAt: Date;
}
