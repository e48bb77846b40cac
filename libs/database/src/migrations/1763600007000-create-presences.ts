import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePresences1763600007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create unlogged table presences (
        account_id uuid not null references accounts,
        ticket_number integer not null,
        agent_id uuid not null references agents,
        viewing_until timestamptz not null,
        replying_until timestamptz,
        primary key (account_id, ticket_number, agent_id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table presences');
  }
}
