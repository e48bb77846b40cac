import type { MigrationInterface, QueryRunner } from 'typeorm';

export class HoldReplies1763600051000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table accounts add column undo_send_seconds integer not null default 10;

      create table held_replies (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents on delete cascade,
        ticket_id uuid not null references tickets on delete cascade,
        body text not null,
        close boolean not null,
        after_sending text not null,
        due_at timestamptz not null
      );
      create index held_replies_due_at_idx on held_replies (due_at);
      create index held_replies_ticket_id_idx on held_replies (ticket_id);
      create index held_replies_agent_id_idx on held_replies (agent_id);

      alter table draft_files alter column draft_id drop not null;
      alter table draft_files add column held_reply_id uuid references held_replies on delete cascade;
      create index draft_files_held_reply_id_idx on draft_files (held_reply_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from held_replies;
      alter table draft_files drop column held_reply_id;
      alter table draft_files alter column draft_id set not null;
      drop table held_replies;
      alter table accounts drop column undo_send_seconds;
    `);
  }
}
