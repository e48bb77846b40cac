import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The base of the feed of changes and of ids, for the tables of all libraries. `changed_in` is the transaction that last
 * changed what the API shows of a row, and `change_marks` lists deleted rows and rows that look different because another
 * row changed. A default sets `changed_in` of a new row, which costs a fifth of what a trigger costs. The trigger of an
 * update compares inside its function, because PostgreSQL copies both rows for a `when` over whole rows.
 */
export class CreateBase1795651199000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function this_transaction() returns bigint language sql as 'select pg_current_xact_id()::text::bigint';

      create function mark_changed() returns trigger language plpgsql as $$
        begin
          new.changed_in := this_transaction();
          return new;
        end
      $$;

      create function mark_if_changed() returns trigger language plpgsql as $$
        begin
          if new is distinct from old then
            new.changed_in := this_transaction();
          end if;
          return new;
        end
      $$;

      create function mark_deleted() returns trigger language plpgsql as $$
        begin
          insert into change_marks (account_id, kind, record_id, public_id, changed_in)
            select account_id, tg_argv[0], id, id::text, this_transaction() from gone
            on conflict (account_id, kind, record_id) do update set changed_in = excluded.changed_in;
          return null;
        end
      $$;

      create function mark_deleted_tickets() returns trigger language plpgsql as $$
        begin
          insert into change_marks (account_id, kind, record_id, public_id, changed_in)
            select account_id, tg_argv[0], id, number::text, this_transaction() from gone
            on conflict (account_id, kind, record_id) do update set changed_in = excluded.changed_in;
          return null;
        end
      $$;

      create function mark_dependents() returns trigger language plpgsql as $$
        begin
          insert into change_marks (account_id, kind, record_id, changed_in)
            select new.account_id, walk, new.id, this_transaction() from unnest(tg_argv) walk
            on conflict (account_id, kind, record_id) do update set changed_in = excluded.changed_in;
          return null;
        end
      $$;

      create function new_uuid_at(moment timestamptz) returns uuid language sql strict parallel safe as $$
        select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
          placing substring(int8send(floor(extract(epoch from moment) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1), 'hex')::uuid
      $$;

      create function uuid_at(moment timestamptz) returns uuid language sql immutable strict parallel safe as $$
        select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
      $$;

      create table change_marks (
        account_id uuid not null,
        kind text not null,
        record_id uuid not null,
        public_id text,
        changed_in bigint not null,
        primary key (account_id, kind, record_id)
      );
      create index change_marks_account_id_changed_in_idx on change_marks (account_id, changed_in);
      create index change_marks_account_id_kind_changed_in_record_id_idx
        on change_marks (account_id, kind, changed_in, record_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table change_marks;
      drop function
        mark_changed, mark_deleted, mark_deleted_tickets, mark_dependents, mark_if_changed, new_uuid_at,
        this_transaction, uuid_at;
    `);
  }
}
