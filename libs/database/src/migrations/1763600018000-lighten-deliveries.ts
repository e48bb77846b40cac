import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What each delivery writes, made less. The deliveries of a page are mostly settled together, so each needs room for its
 * second version beside it, or all indexes are written again. And what was sent is shown as it was, never looked into,
 * so it need not be taken apart.
 */
export class LightenDeliveries1763600018000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deliveries_default set (fillfactor = 45);
      alter table attempts alter column request_headers type json using request_headers::text::json;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table attempts alter column request_headers type jsonb using request_headers::text::jsonb;
      alter table deliveries_default set (fillfactor = 70);
    `);
  }
}
