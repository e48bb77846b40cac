import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The folders in which processes keep attachments. Where there are several, each host finds only what it has itself. */
export class KnowAttachmentFolders1763600082000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table attachment_folders (
        id uuid primary key,
        host text not null,
        seen_at timestamptz not null
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table attachment_folders');
  }
}
