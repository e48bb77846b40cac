import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the API shows of a message or an agent. Their other columns change for reasons of their own. */
const SHOWN_OF_MESSAGES =
  'account_id, ticket_id, author_agent_id, author_customer_id, note, body, plain_text_body, sent_at, created_at, updated_at';
const SHOWN_OF_AGENTS = 'account_id, email, first_name, last_name, role, state';

/** A table, the columns whose change counts (all of them unless named), and what a deleted row is told by. */
const COPIED = [
  { table: 'agents', kind: 'agent', columns: SHOWN_OF_AGENTS },
  { table: 'groups', kind: 'group' },
  { table: 'mailboxes', kind: 'mailbox' },
  { table: 'customers', kind: 'customer' },
  { table: 'tickets', kind: 'ticket' },
  { table: 'messages', kind: 'message', columns: SHOWN_OF_MESSAGES },
  { table: 'attachments', kind: 'attachment' },
];

/** Whose change is seen in other records, and in which. */
const SEEN_ELSEWHERE = [
  { table: 'groups', columns: ['name'], walks: ['tickets_of_group'] },
  { table: 'mailboxes', columns: ['name'], walks: ['tickets_of_mailbox'] },
  { table: 'customers', columns: ['first_name', 'last_name'], walks: ['tickets_of_customer'] },
  {
    table: 'customers',
    columns: ['email'],
    walks: ['messages_by_customer', 'messages_to_customer', 'tickets_of_customer'],
  },
  { table: 'tickets', columns: ['assignee_id'], walks: ['messages_to_assignee'] },
];

/**
 * Each row that can be copied knows the transaction that last changed what the API shows of it. A constant default rewrites
 * no table: rows from before are at 0. The indexes are built once, which takes seconds for a million rows.
 */
export class MarkChanges1763600041000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await runner.query(FUNCTIONS);
    for (const { table, kind, columns } of COPIED) {
      const when = columns === undefined ? 'when (old.* is distinct from new.*)' : '';
      await runner.query(`
        alter table ${table} add column changed_in bigint not null default 0;
        create index ${table}_account_id_changed_in_id_idx on ${table} (account_id, changed_in, id);
        create trigger ${table}_mark_insert before insert on ${table} for each row execute function mark_changed();
        create trigger ${table}_mark_update before update ${columns === undefined ? '' : `of ${columns}`} on ${table}
          for each row ${when} execute function mark_changed();
        create trigger ${table}_mark_delete after delete on ${table} referencing old table as gone
          for each statement execute function mark_deleted${table === 'tickets' ? '_tickets' : ''}('${kind}');
      `);
    }
    for (const { table, columns, walks } of SEEN_ELSEWHERE)
      await runner.query(`
        create trigger ${table}_${columns[0]}_changed after update on ${table} for each row
          when (${columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')})
          execute function mark_dependents(${walks.map((walk) => `'${walk}'`).join(', ')})`);
    await runner.query(`
      create index messages_author_customer_id_id_idx on messages (author_customer_id, id);
      drop index messages_author_customer_id_idx;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index messages_author_customer_id_idx on messages (author_customer_id);
      drop index messages_author_customer_id_id_idx;
    `);
    for (const { table, columns } of SEEN_ELSEWHERE)
      await runner.query(`drop trigger ${table}_${columns[0]}_changed on ${table}`);
    for (const { table } of COPIED)
      await runner.query(`
        drop trigger ${table}_mark_insert on ${table};
        drop trigger ${table}_mark_update on ${table};
        drop trigger ${table}_mark_delete on ${table};
        alter table ${table} drop column changed_in;
      `);
    await runner.query(`
      drop function mark_changed, mark_deleted, mark_deleted_tickets, mark_dependents, database_history;
      drop table change_marks;
    `);
  }
}

const TABLE = `
  create table change_marks (
    account_id uuid not null,
    kind text not null,
    record_id uuid not null,
    public_id text,
    changed_in bigint not null,
    primary key (account_id, kind, record_id)
  );
  create index change_marks_account_id_changed_in_kind_record_id_idx
    on change_marks (account_id, changed_in, kind, record_id);
`;

/**
 * `database_history` changes when the database is restored from a dump or from an archive, or another server takes over:
 * transactions are then numbered anew from some earlier place. Not every provider lets everybody ask for each part of it.
 */
const FUNCTIONS = `
  create function mark_changed() returns trigger language plpgsql as $$
    begin
      new.changed_in := pg_current_xact_id()::text::bigint;
      return new;
    end $$;
  create function mark_deleted() returns trigger language plpgsql as $$
    begin
      insert into change_marks (account_id, kind, record_id, public_id, changed_in)
        select account_id, tg_argv[0], id, id::text, pg_current_xact_id()::text::bigint from gone
        on conflict (account_id, kind, record_id) do update set changed_in = excluded.changed_in;
      return null;
    end $$;
  create function mark_deleted_tickets() returns trigger language plpgsql as $$
    begin
      insert into change_marks (account_id, kind, record_id, public_id, changed_in)
        select account_id, tg_argv[0], id, number::text, pg_current_xact_id()::text::bigint from gone
        on conflict (account_id, kind, record_id) do update set changed_in = excluded.changed_in;
      return null;
    end $$;
  create function mark_dependents() returns trigger language plpgsql as $$
    begin
      insert into change_marks (account_id, kind, record_id, changed_in)
        select new.account_id, walk, new.id, pg_current_xact_id()::text::bigint from unnest(tg_argv) walk
        on conflict (account_id, kind, record_id) do update set changed_in = excluded.changed_in;
      return null;
    end $$;
  create function database_history() returns text language plpgsql stable as $$
    declare
      cluster text := '';
      timeline text := '';
    begin
      begin
        select system_identifier::text into cluster from pg_control_system();
      exception when others then null;
      end;
      begin
        timeline := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
      exception when others then null;
      end;
      return substr(md5(concat_ws('-', cluster, timeline, 'change_marks'::regclass::oid)), 1, 12);
    end $$;
`;
