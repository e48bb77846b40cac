import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What happened to a ticket goes with the ticket; all else is found by its age. */
export class EndActivities1763600021000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from activities a where a.ticket_id is not null and not exists (select from tickets t where t.id = a.ticket_id);
      create index activities_of_no_ticket_idx on activities (id) where ticket_id is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index activities_of_no_ticket_idx');
  }
}
