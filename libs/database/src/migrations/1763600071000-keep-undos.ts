import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeepUndos1763600071000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table bulk_undos (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents on delete cascade,
        former jsonb not null,
        created_at timestamptz not null
      );
      create index bulk_undos_account_id_created_at_idx on bulk_undos (account_id, created_at);
      create index bulk_undos_agent_id_idx on bulk_undos (agent_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table bulk_undos');
  }
}
