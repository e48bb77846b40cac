import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SaveViews1763600100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table saved_views (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid references agents on delete cascade,
        name text not null,
        name_key text not null,
        query text not null,
        position integer not null,
        created_at timestamptz not null
      );
      create unique index saved_views_account_name_idx on saved_views (account_id, name_key) where agent_id is null;
      create unique index saved_views_agent_name_idx on saved_views (agent_id, name_key) where agent_id is not null;
      create index saved_views_account_id_idx on saved_views (account_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table saved_views');
  }
}
