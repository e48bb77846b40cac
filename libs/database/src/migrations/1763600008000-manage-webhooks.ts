import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ManageWebhooks1763600008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table webhooks add column agent_id uuid references agents;
      update webhooks w set agent_id = g.agent_id from grants g where g.id = w.grant_id;
      create index webhooks_account_id_id_idx on webhooks (account_id, id);
      create table replays (
        id uuid primary key,
        account_id uuid not null references accounts,
        webhook_id uuid not null,
        agent_id uuid not null references agents,
        choice text not null,
        since timestamptz not null,
        before timestamptz not null,
        state text not null,
        total integer not null default 0,
        redelivered integer not null default 0,
        position uuid,
        next_step_at timestamptz not null,
        created_at timestamptz not null,
        finished_at timestamptz
      );
      create index replays_webhook_id_id_idx on replays (webhook_id, id);
      create unique index replays_one_at_a_time_idx on replays (webhook_id) where finished_at is null;
      create index replays_next_idx on replays (next_step_at) where finished_at is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table replays;
      drop index webhooks_account_id_id_idx;
      alter table webhooks drop column agent_id;
    `);
  }
}
