import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAccess1763600001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
      create table throttles (
        key bytea primary key,
        count integer not null,
        ends_at timestamptz not null
      );
      create index throttles_ends_at_idx on throttles (ends_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table throttles, single_use_links, visits, sessions, authorization_codes, tokens, grants, applications
    `);
  }
}
