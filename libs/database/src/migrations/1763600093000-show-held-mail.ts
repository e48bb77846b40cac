import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A mail that is held can be read, taken in and discarded. */
export class ShowHeldMail1763600093000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table arrivals add column subject text, add column preview text,
        add column released boolean not null default false;
      create index arrivals_listed_idx on arrivals (account_id, state, created_at, id);
      create index arrivals_held_idx on arrivals (understood_at) where state = 'held';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index arrivals_held_idx, arrivals_listed_idx;
      alter table arrivals drop column released, drop column preview, drop column subject;
    `);
  }
}
