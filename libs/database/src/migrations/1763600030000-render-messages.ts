import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Both null in the messages that are there already, so no row is rewritten. */
export class RenderMessages1763600030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table messages add column shown_as text, add column safe_html text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table messages drop column shown_as, drop column safe_html');
  }
}
