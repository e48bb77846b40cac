import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the older mail of a mailbox was brought in, and which arrivals are of it. */
export class ImportOlderMail1763600161000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table imap_imports (
        id uuid primary key references imap_accounts on delete cascade,
        account_id uuid not null references accounts,
        since timestamptz,
        uid_validity bigint,
        last_uid bigint not null default 0,
        end_uid bigint not null default 0,
        total integer,
        done integer not null default 0,
        due_at timestamptz not null default now(),
        tries integer not null default 0,
        stuck_uid bigint,
        stuck_tries integer not null default 0,
        last_error text,
        started_at timestamptz not null,
        ended_at timestamptz,
        stopped boolean not null default false
      );
      alter table arrivals add received_at timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table arrivals drop received_at; drop table imap_imports');
  }
}
