import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What stands below the replies of an agent and of a mailbox. */
export class SignReplies1763600130001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table agents add column signature text not null default '';
      alter table mailboxes add column signature text not null default '';
      ${tellChangesOf('account_id, email, first_name, last_name, role, state, signature')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${tellChangesOf('account_id, email, first_name, last_name, role, state')}
      alter table mailboxes drop column signature;
      alter table agents drop column signature;
    `);
  }
}

/** Who follows changes hears of those that the API shows. */
const tellChangesOf = (columns: string): string => `
  drop trigger agents_mark_update on agents;
  create trigger agents_mark_update before update of ${columns} on agents for each row execute function mark_changed();`;
