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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table tokens, grants, applications');
  }
}
