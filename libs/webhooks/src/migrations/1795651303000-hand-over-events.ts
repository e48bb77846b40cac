import type { MigrationInterface, QueryRunner } from '#libs/database';

/**
 * An express event goes from the commit straight into the queue, so the relay leaves it in the outbox. A delivery that
 * its first attempt settles has no row in `attempts`: the attempt is in its own row, which saves three index entries.
 */
export class HandOverEvents1795651303000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table outbox add column express boolean not null default false;
      alter table outbox drop constraint outbox_pkey, add primary key (event_id);
      alter table deliveries add column only_attempt json;
      create index outbox_relay_idx on outbox (account_id, event_id) where not express;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deliveries drop column only_attempt;
      drop index outbox_relay_idx;
      alter table outbox drop constraint outbox_pkey, add primary key (account_id, event_id);
      alter table outbox drop column express;
    `);
  }
}
