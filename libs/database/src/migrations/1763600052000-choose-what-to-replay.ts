import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A replay can be of those deliveries alone whose last answer was of one class. */
export class ChooseWhatToReplay1763600052000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table replays add column answer text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table replays drop column answer');
  }
}
