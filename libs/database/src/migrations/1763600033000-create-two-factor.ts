import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Authenticator apps of agents, their recovery codes, sign-ins that still need a code, and who must have it. */
export class CreateTwoFactor1763600033000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table accounts add column two_factor_required_for text not null default 'nobody';
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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table sign_in_challenges, recovery_codes, authenticators;
      alter table accounts drop column two_factor_required_for;
    `);
  }
}
