import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of the mailboxes with one address, the one that has had it longest gets its mail. */
export class RouteMailByAge1763600054000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table mailboxes add column email_since timestamptz;
      update mailboxes set email_since = created_at;
      alter table mailboxes alter column email_since set not null, alter column email_since set default now();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table mailboxes drop column email_since');
  }
}
