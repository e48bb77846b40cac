import type { MigrationInterface, QueryRunner } from '#libs/database';

/**
 * Accounts, agents, sign-in and OAuth. Also the functions that mark what changed, which tables of other libraries use:
 * `changed_in` is the transaction that last changed what the API shows of a row, and `change_marks` lists deleted rows
 * and rows that look different because another row changed. A default sets `changed_in` of a new row, which costs a
 * fifth of a trigger. The trigger of an update compares inside its function, because PostgreSQL copies both rows for a
 * `when` over whole rows.
 */
export class CreateAccess1795651200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function mark_changed() returns trigger language plpgsql as $$
        begin
          new.changed_in := pg_current_xact_id()::text::bigint;
          return new;
        end
      $$;

      create function mark_deleted() returns trigger language plpgsql as $$
        begin
          insert into change_marks (account_id, kind, record_id, public_id, changed_in)
            select account_id, tg_argv[0], id, id::text, pg_current_xact_id()::text::bigint from gone
            on conflict (account_id, kind, record_id) do update set changed_in = excluded.changed_in;
          return null;
        end
      $$;

      create function mark_deleted_tickets() returns trigger language plpgsql as $$
        begin
          insert into change_marks (account_id, kind, record_id, public_id, changed_in)
            select account_id, tg_argv[0], id, number::text, pg_current_xact_id()::text::bigint from gone
            on conflict (account_id, kind, record_id) do update set changed_in = excluded.changed_in;
          return null;
        end
      $$;

      create function mark_dependents() returns trigger language plpgsql as $$
        begin
          insert into change_marks (account_id, kind, record_id, changed_in)
            select new.account_id, walk, new.id, pg_current_xact_id()::text::bigint from unnest(tg_argv) walk
            on conflict (account_id, kind, record_id) do update set changed_in = excluded.changed_in;
          return null;
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

      create function new_uuid_at(moment timestamptz) returns uuid language sql strict parallel safe as $$
        select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
          placing substring(int8send(floor(extract(epoch from moment) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1), 'hex')::uuid
      $$;

      create function this_transaction() returns bigint language sql as 'select pg_current_xact_id()::text::bigint';

      create function uuid_at(moment timestamptz) returns uuid language sql immutable strict parallel safe as $$
        select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
      $$;

      create table accounts (
        id uuid primary key,
        name text not null,
        last_ticket_number integer not null default 0,
        two_factor_required_for text not null default 'nobody',
        undo_send_seconds integer not null default 10,
        time_zone text not null default 'UTC',
        created_at timestamptz not null
      );

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

      create table agents (
        id uuid primary key,
        account_id uuid not null references accounts,
        email text not null,
        first_name text not null,
        last_name text not null,
        role text not null,
        state text not null,
        password_hash text,
        invited_at timestamptz,
        archived_at timestamptz,
        last_seen_at timestamptz,
        signed_in_at timestamptz,
        time_zone text,
        signature text not null default '',
        compact_list boolean not null default false,
        mail_replies boolean not null default false,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        changed_in bigint not null default this_transaction()
      );
      create unique index agents_account_id_email_idx on agents (account_id, email);
      create index agents_email_idx on agents (email);
      create index agents_account_id_changed_in_id_idx on agents (account_id, changed_in, id);

      create table applications (
        id uuid primary key,
        name text not null,
        client_id text not null,
        secret_hash bytea not null,
        previous_secret_hash bytea,
        previous_secret_expires_at timestamptz,
        redirect_uris text[] not null,
        scopes text[] not null,
        disabled_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create unique index applications_client_id_idx on applications (client_id);

      create table grants (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents,
        application_id uuid references applications,
        name text,
        scopes text[] not null,
        scope_requested boolean not null default false,
        revoked_at timestamptz,
        revoked_reason text,
        last_used_at timestamptz,
        created_at timestamptz not null
      );
      create index grants_account_id_agent_id_idx on grants (account_id, agent_id);
      create index grants_application_id_idx on grants (application_id);

      create table authorization_codes (
        hash bytea primary key,
        grant_id uuid not null references grants on delete cascade,
        redirect_uri text not null,
        code_challenge text,
        expires_at timestamptz not null,
        consumed_at timestamptz
      );
      create index authorization_codes_grant_id_idx on authorization_codes (grant_id);
      create index authorization_codes_expires_at_idx on authorization_codes (expires_at);

      create table tokens (
        hash bytea primary key,
        kind text not null,
        grant_id uuid not null references grants on delete cascade,
        scopes text[] not null,
        issued_at timestamptz not null,
        expires_at timestamptz not null,
        consumed_at timestamptz,
        retry_salt bytea
      );
      create index tokens_grant_id_idx on tokens (grant_id);
      create index tokens_expires_at_idx on tokens (expires_at);

      create table sessions (
        id uuid primary key,
        hash bytea not null,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents,
        user_agent text not null,
        address text not null,
        created_at timestamptz not null,
        last_seen_at timestamptz not null,
        expires_at timestamptz not null
      );
      create unique index sessions_hash_idx on sessions (hash);
      create index sessions_account_id_agent_id_idx on sessions (account_id, agent_id);
      create index sessions_expires_at_idx on sessions (expires_at);

      create table visits (
        hash bytea primary key,
        return_to text not null,
        agent_ids uuid[] not null,
        expires_at timestamptz not null
      );
      create index visits_expires_at_idx on visits (expires_at);

      create table sign_in_challenges (
        hash bytea primary key,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents,
        return_to text not null,
        tries integer not null default 0,
        expires_at timestamptz not null
      );
      create index sign_in_challenges_account_id_agent_id_idx on sign_in_challenges (account_id, agent_id);
      create index sign_in_challenges_expires_at_idx on sign_in_challenges (expires_at);

      create table single_use_links (
        hash bytea primary key,
        purpose text not null,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents,
        created_at timestamptz not null,
        expires_at timestamptz not null
      );
      create index single_use_links_account_id_agent_id_idx on single_use_links (account_id, agent_id);
      create index single_use_links_expires_at_idx on single_use_links (expires_at);

      create table authenticators (
        agent_id uuid primary key references agents,
        account_id uuid not null references accounts,
        sealed bytea not null,
        key_id text not null,
        last_step integer not null default 0,
        confirmed_at timestamptz,
        created_at timestamptz not null
      );

      create table recovery_codes (
        hash bytea primary key,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents,
        created_at timestamptz not null
      );
      create index recovery_codes_account_id_agent_id_idx on recovery_codes (account_id, agent_id);

      -- Counts of attempts by strangers, such as failed sign-ins.
      create table throttles (
        key bytea primary key,
        count integer not null,
        ends_at timestamptz not null
      );
      create index throttles_ends_at_idx on throttles (ends_at);

      create trigger agents_mark_delete after delete on agents referencing old table as gone for each statement
        execute function mark_deleted('agent');
      create trigger agents_mark_update before update
        of account_id, email, first_name, last_name, role, state, signature on agents
        for each row execute function mark_changed();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table
        accounts, change_marks, agents, applications, grants, authorization_codes, tokens, sessions, visits,
        sign_in_challenges, single_use_links, authenticators, recovery_codes, throttles;
      drop function
        mark_changed, mark_deleted, mark_deleted_tickets, mark_dependents, mark_if_changed, new_uuid_at,
        this_transaction, uuid_at;
    `);
  }
}
