import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When agents last signed in, and mails that are owed to those who did so with a new browser. */
export class CreateSignInNotices1763600033001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table agents add column signed_in_at timestamptz;
      create table sign_in_notices (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents,
        device text not null,
        address text not null,
        tries integer not null default 0,
        due_at timestamptz not null,
        claimed_at timestamptz,
        created_at timestamptz not null
      );
      create index sign_in_notices_due_at_idx on sign_in_notices (due_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table sign_in_notices;
      alter table agents drop column signed_in_at;
    `);
  }
}
