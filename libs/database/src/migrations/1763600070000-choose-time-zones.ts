import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ChooseTimeZones1763600070000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table accounts add column time_zone text not null default 'UTC';
      alter table agents add column time_zone text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table agents drop column time_zone;
      alter table accounts drop column time_zone;
    `);
  }
}
