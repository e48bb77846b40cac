import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an agent is mailed when a customer answers on a ticket of theirs. Not until they ask for it. */
export class AnswerNotices1763600162000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table agents add mail_replies boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table agents drop mail_replies');
  }
}
