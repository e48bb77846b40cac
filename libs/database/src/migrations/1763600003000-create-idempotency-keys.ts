import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateIdempotencyKeys1763600003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table idempotency_keys (
        account_id uuid not null references accounts,
        grant_id uuid not null,
        key text not null,
        request_hash bytea not null,
        status integer,
        location text,
        body text,
        created_at timestamptz not null,
        primary key (account_id, grant_id, key)
      );
      create index idempotency_keys_created_at_idx on idempotency_keys (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table idempotency_keys');
  }
}
