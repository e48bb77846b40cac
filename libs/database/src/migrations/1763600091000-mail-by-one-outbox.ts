import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Every mail goes out through `outgoing_mails`. What waits in the tables from before moves there, and what a process of the
 * version before still writes into them goes there as well. They are empty from now on, and nothing reads them.
 */
export class MailByOneOutbox1763600091000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table outgoing_mails add column detail jsonb not null default '{}';
      create index outgoing_mails_ended_idx on outgoing_mails (ended_at)
        where message_id is null and ended_at is not null;
    `);
    for (const { table, select } of FORMER) {
      await runner.query(`
        create function ${table}_to_outbox() returns trigger language plpgsql as $$
          begin
            insert into outgoing_mails (${COLUMNS}) ${select} from (select new.*) n;
            return null;
          end $$;
        create trigger ${table}_moved before insert on ${table} for each row execute function ${table}_to_outbox();
        insert into outgoing_mails (${COLUMNS}) ${select} from ${table} n where claimed_at is null on conflict do nothing;
        delete from ${table};
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of FORMER)
      await runner.query(`drop trigger ${table}_moved on ${table}; drop function ${table}_to_outbox`);
    await runner.query('alter table outgoing_mails drop column detail; drop index if exists outgoing_mails_ended_idx');
  }
}

const COLUMNS = 'id, account_id, kind, state, recipient, message_id, detail, tries, due_at, queued_at';

const FORMER = [
  {
    table: 'webhook_notices',
    select: `select n.id, n.account_id, 'webhook_notice', 'queued', n.email, null,
      jsonb_build_object('webhook', n.webhook_id, 'event', n.event, 'url', n.url, 'reason', n.reason), n.tries, n.due_at,
      n.created_at`,
  },
  {
    table: 'sign_in_notices',
    select: `select n.id, n.account_id, 'sign_in_notice', 'queued', (select email from agents a where a.id = n.agent_id), null,
      jsonb_build_object('device', n.device, 'address', n.address), n.tries, n.due_at, n.created_at`,
  },
  {
    table: 'customer_copies',
    select: `select new_uuid_at(n.created_at), n.account_id, 'message', 'queued', (
        select c.email from messages s join tickets t on t.id = s.ticket_id join customers c on c.id = t.customer_id
        where s.id = n.message_id
      ), n.message_id, '{}', n.tries, n.due_at, n.created_at`,
  },
];
