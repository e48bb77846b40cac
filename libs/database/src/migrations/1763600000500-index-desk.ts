import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One index for each way a list can be asked for, each in the order the list is shown in, so that a page is read and
 * not sorted. Ids already belong to one account; what does not, such as a state, has the account in front.
 *
 * What is shared by accounts as a word (a tag, a term of the search) carries the account inside the indexed value:
 * how common a word is elsewhere can then neither slow a search down nor be measured by it.
 */
export class IndexDesk1763600000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index tickets_live_idx on tickets (account_id, created_at, number) where deleted_at is null;
      create index tickets_updated_idx on tickets (account_id, updated_at, number) where deleted_at is null;
      create index tickets_state_idx on tickets (account_id, state, created_at, number) where deleted_at is null;
      create index tickets_open_idx on tickets (account_id, created_at, number)
        where deleted_at is null and state not in ('closed', 'spam');
      create index tickets_unassigned_idx on tickets (account_id, created_at, number)
        where deleted_at is null and assignee_id is null and state not in ('closed', 'spam');
      create index tickets_priority_idx on tickets (account_id, priority, created_at, number)
        where deleted_at is null and priority is not null;
      create index tickets_assignee_id_created_at_number_idx on tickets (assignee_id, created_at, number);
      create index tickets_assigned_group_id_created_at_number_idx on tickets (assigned_group_id, created_at, number);
      create index tickets_mailbox_id_created_at_number_idx on tickets (mailbox_id, created_at, number);
      create index tickets_customer_id_created_at_number_idx on tickets (customer_id, created_at, number);
      create index tickets_deleted_idx on tickets (deleted_at) where deleted_at is not null;
      create index customers_account_id_created_at_id_idx on customers (account_id, created_at, id);

      create function account_words(account uuid, words text[]) returns text[]
        language sql immutable parallel safe as $$
          select coalesce(array_agg(right(account::text, 12) || ':' || lower(word)), '{}') from unnest(words) word
        $$;
      create index tickets_tags_idx on tickets using gin (account_words(account_id, tags)) where tags <> '{}';

      -- The length is bounded twice, because a tsvector and each of its words have limits that a message has not.
      create function search_words(account uuid, document text) returns tsvector
        language sql immutable parallel safe as $$
          select coalesce(array_to_tsvector(array_agg(distinct right(account::text, 12) || ':' || left(lexeme, 200))), '')
          from unnest(to_tsvector('simple', left(document, 50000)))
        $$;
      create table ticket_words (
        ticket_id uuid not null references tickets on delete cascade,
        source_id uuid not null,
        account_id uuid not null,
        words tsvector not null,
        primary key (ticket_id, source_id)
      );
      create index ticket_words_words_idx on ticket_words using gin (words);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table ticket_words;
      drop function search_words;
      drop index tickets_tags_idx, customers_account_id_created_at_id_idx, tickets_deleted_idx,
        tickets_customer_id_created_at_number_idx, tickets_mailbox_id_created_at_number_idx,
        tickets_assigned_group_id_created_at_number_idx, tickets_assignee_id_created_at_number_idx,
        tickets_priority_idx, tickets_unassigned_idx, tickets_open_idx, tickets_state_idx, tickets_updated_idx,
        tickets_live_idx;
      drop function account_words;
    `);
  }
}
