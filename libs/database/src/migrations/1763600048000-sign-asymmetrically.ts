import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A default that is constant rewrites no row. */
export class SignAsymmetrically1763600048000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhooks add column publicly_signed boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhooks drop column publicly_signed');
  }
}
