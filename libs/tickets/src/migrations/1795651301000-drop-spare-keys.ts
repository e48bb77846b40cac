import type { MigrationInterface, QueryRunner } from '#libs/database';

/**
 * Drops indexes that another one serves, and foreign keys to rows that are never deleted: each costs a lock of the
 * account or agent for every message. See docs/decisions/writes-of-a-message.md.
 */
export class DropSpareKeys1795651301000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index messages_author_customer_id_id_idx;
      create index messages_author_customer_id_id_idx on messages (author_customer_id, id)
        where author_customer_id is not null;
      drop index ticket_words_account_id_ticket_id_idx;
      alter table activities drop constraint activities_pkey, add primary key (account_id, id);
      drop index activities_account_id_id_idx;

      alter table customers drop constraint customers_account_id_fkey;
      alter table tickets drop constraint tickets_account_id_fkey;
      alter table attachments drop constraint attachments_account_id_fkey;
      alter table messages drop constraint messages_account_id_fkey, drop constraint messages_author_agent_id_fkey;
      alter table activities drop constraint activities_account_id_fkey, drop constraint activities_agent_id_fkey,
        drop constraint activities_application_id_fkey;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index messages_author_customer_id_id_idx;
      create index messages_author_customer_id_id_idx on messages (author_customer_id, id);
      create index ticket_words_account_id_ticket_id_idx on ticket_words (account_id, ticket_id);
      alter table activities drop constraint activities_pkey, add primary key (id);
      create index activities_account_id_id_idx on activities (account_id, id);

      alter table customers add foreign key (account_id) references accounts;
      alter table tickets add foreign key (account_id) references accounts;
      alter table attachments add foreign key (account_id) references accounts;
      alter table messages add foreign key (account_id) references accounts,
        add foreign key (author_agent_id) references agents;
      alter table activities add foreign key (account_id) references accounts,
        add foreign key (agent_id) references agents, add foreign key (application_id) references applications;
    `);
  }
}
