import type { MigrationInterface, QueryRunner } from '#libs/database';

/** Accounts, agents, sign-in and OAuth. */
export class CreateAccess1795651200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table accounts (
        id uuid primary key,
        name text not null,
        last_ticket_number integer not null default 0,
        two_factor_required_for text not null default 'nobody',
        undo_send_seconds integer not null default 10,
        assistants_may_send boolean not null default false,
        time_zone text not null default 'UTC',
        created_at timestamptz not null
      );

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
        mail_about text[] not null default '{}',
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
        maker_account_id uuid references accounts,
        home_page text,
        secret_hash bytea,
        secret_used_at timestamptz,
        previous_secret_hash bytea,
        previous_secret_expires_at timestamptz,
        previous_secret_used_at timestamptz,
        redirect_uris text[] not null,
        scopes text[] not null,
        approved_at timestamptz,
        metadata_expires_at timestamptz,
        disabled_at timestamptz,
        disabled_by_operator boolean not null default false,
        deleted boolean not null default false,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create unique index applications_client_id_idx on applications (client_id);
      create index applications_maker_account_id_idx on applications (maker_account_id) where maker_account_id is not null;

      create table grants (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents,
        application_id uuid references applications,
        name text,
        scopes text[] not null,
        expires_at timestamptz,
        revoked_at timestamptz,
        revoked_reason text,
        last_used_at timestamptz,
        created_at timestamptz not null
      );
      create index grants_account_id_agent_id_idx on grants (account_id, agent_id);
      create index grants_application_id_idx on grants (application_id);
      create unique index grants_live_idx on grants (account_id, agent_id, application_id)
        where application_id is not null and revoked_at is null;
      create index grants_expires_at_idx on grants (expires_at) where expires_at is not null and revoked_at is null;

      create table authorization_codes (
        hash bytea primary key,
        grant_id uuid not null references grants on delete cascade,
        scopes text[] not null,
        scope_requested boolean not null,
        audiences text[] not null,
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
        scope_requested boolean not null default false,
        audiences text[] not null default '{api}',
        chain_id uuid,
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
      -- The columns that the API shows: the feed of changes misses a change of a column that is not listed.
      create trigger agents_mark_update before update
        of account_id, email, first_name, last_name, role, state, signature on agents
        for each row execute function mark_changed();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table
        accounts, agents, applications, grants, authorization_codes, tokens, sessions, visits,
        sign_in_challenges, single_use_links, authenticators, recovery_codes, throttles;
    `);
  }
}
