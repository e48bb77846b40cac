import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the clock of a worker is ahead. Workers of the version before do not say. */
export class TellClocks1763600080000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table worker_heartbeats add column skew_ms integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table worker_heartbeats drop column skew_ms');
  }
}
