import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateActivities1763600006000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table activities (
        id uuid primary key,
        account_id uuid not null references accounts,
        ticket_id uuid,
        kind text not null,
        agent_id uuid references agents,
        application_id uuid references applications,
        subject text not null,
        detail jsonb not null default '{}',
        request_id text,
        created_at timestamptz not null
      );
      create index activities_ticket_id_id_idx on activities (ticket_id, id);
      create index activities_account_id_id_idx on activities (account_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table activities');
  }
}
