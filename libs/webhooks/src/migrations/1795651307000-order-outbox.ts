import type { MigrationInterface, QueryRunner } from '#libs/database';

/**
 * Late express events are found without reading a burst of others. The last index has a condition that the relay's claim
 * does not name, or PostgreSQL would read all events for those of an account. Without a primary key, logical replication
 * needs another identity.
 */
export class OrderOutbox1795651307000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table outbox drop constraint outbox_pkey;
      create unique index outbox_express_idx on outbox (event_id) where express;
      create unique index outbox_event_idx on outbox (event_id) where not express and cardinality(webhook_ids) > 0;
      alter table outbox replica identity full;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table outbox replica identity default;
      drop index outbox_express_idx, outbox_event_idx;
      alter table outbox add primary key (event_id);
    `);
  }
}
