import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KnowWhoWaits1763600101000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tickets add column waiting_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tickets drop column waiting_since');
  }
}
