import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Up to which message an agent has seen a ticket. It is read by its key only. */
export class RememberWhatWasRead1763600076000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table read_marks (
        agent_id uuid not null references agents,
        ticket_id uuid not null references tickets on delete cascade,
        account_id uuid not null,
        message_id uuid not null,
        primary key (ticket_id, agent_id)
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table read_marks');
  }
}
