import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much room a row of the list takes, for each person. */
export class KeepListDensity1763600150000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table agents add column compact_list boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table agents drop column compact_list');
  }
}
