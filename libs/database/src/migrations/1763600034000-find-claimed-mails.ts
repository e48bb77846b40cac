import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Claims that were left over are looked for every few seconds: without an index, among all mails that are owed. */
export class FindClaimedMails1763600034000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index customer_copies_claimed_at_idx on customer_copies (claimed_at) where claimed_at is not null;
      create index sign_in_notices_claimed_at_idx on sign_in_notices (claimed_at) where claimed_at is not null;
      create index webhook_notices_claimed_at_idx on webhook_notices (claimed_at) where claimed_at is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop index customer_copies_claimed_at_idx, sign_in_notices_claimed_at_idx, webhook_notices_claimed_at_idx',
    );
  }
}
