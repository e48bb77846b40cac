import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateStrayFiles1763600014000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table stray_files (
        id uuid primary key,
        account_id uuid not null,
        due_at timestamptz not null
      );
      create index stray_files_due_at_idx on stray_files (due_at);

      create function stray_file_of_attachment() returns trigger language plpgsql as $$
      begin
        insert into stray_files (id, account_id, due_at) values (old.id, old.account_id, now()) on conflict do nothing;
        return null;
      end $$;
      create trigger attachments_deleted after delete on attachments
        for each row execute function stray_file_of_attachment();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger attachments_deleted on attachments;
      drop function stray_file_of_attachment();
      drop table stray_files;
    `);
  }
}
