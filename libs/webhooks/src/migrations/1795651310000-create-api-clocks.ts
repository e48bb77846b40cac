import type { MigrationInterface, QueryRunner } from '#libs/database';

/** Clocks of APIs that differ from this server’s. */
export class CreateApiClocks1795651310000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table api_clocks (
        host text not null,
        pid integer not null,
        seen_at timestamptz not null,
        skew_ms integer not null,
        primary key (host, pid)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table api_clocks');
  }
}
