import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages whose customer is owed a copy by mail, from the commit that wrote them until it is sent. */
export class CreateCustomerCopies1763600020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table customer_copies (
        message_id uuid primary key references messages on delete cascade,
        account_id uuid not null references accounts,
        tries integer not null default 0,
        due_at timestamptz not null,
        claimed_at timestamptz,
        created_at timestamptz not null
      );
      create index customer_copies_due_at_idx on customer_copies (due_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table customer_copies');
  }
}
