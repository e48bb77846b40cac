import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDrafts1763600042000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table drafts (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents on delete cascade,
        ticket_id uuid not null references tickets on delete cascade,
        note boolean not null,
        body text not null,
        after_sending text not null,
        revision integer not null,
        writer text not null,
        updated_at timestamptz not null
      );
      create unique index drafts_agent_id_ticket_id_idx on drafts (agent_id, ticket_id);
      create index drafts_ticket_id_idx on drafts (ticket_id);

      create table draft_files (
        id uuid primary key,
        account_id uuid not null references accounts,
        draft_id uuid not null references drafts on delete cascade,
        name text not null,
        content_type text not null,
        size integer not null
      );
      create index draft_files_draft_id_idx on draft_files (draft_id);
      create trigger draft_files_deleted after delete on draft_files
        for each row execute function stray_file_of_attachment();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table draft_files, drafts');
  }
}
