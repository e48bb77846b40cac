import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What upkeep remembers: when each task is due next, whichever worker runs it; which workers are alive; and the mail
 * that is still to be sent about webhooks that were switched off.
 */
export class CreateUpkeep1763600012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table upkeep_tasks (
        name text primary key,
        due_at timestamptz not null,
        finished_at timestamptz,
        report jsonb
      );
      create table worker_heartbeats (
        id uuid primary key,
        host text not null,
        pid integer not null,
        version text not null,
        started_at timestamptz not null,
        seen_at timestamptz not null
      );
      create table webhook_notices (
        id uuid primary key,
        account_id uuid not null references accounts,
        webhook_id uuid not null,
        email text not null,
        event text not null,
        url text not null,
        reason text not null,
        tries integer not null default 0,
        due_at timestamptz not null,
        claimed_at timestamptz,
        created_at timestamptz not null
      );
      create index webhook_notices_due_at_idx on webhook_notices (due_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table webhook_notices, worker_heartbeats, upkeep_tasks');
  }
}
