import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rows know how their words were cut, customers are found by theirs, and what was there before is cut anew by the
 * workers: a walk for each kind of row, which remembers where it is. docs/decisions/search.md says why.
 *
 * The functions look up in the index of words whatever PostgreSQL believes about the tables.
 */
export class FindEverything1763600075000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table ticket_words add column version smallint not null default 0;

      create table customer_words (
        customer_id uuid primary key references customers on delete cascade,
        account_id uuid not null,
        words tsvector not null
      );
      create index customer_words_words_idx on customer_words using gin (words);
      alter table customer_words set (parallel_workers = 0);

      create table search_walks (
        name text primary key,
        after uuid not null default '00000000-0000-0000-0000-000000000000',
        found integer not null default 0,
        started_at timestamptz not null default now(),
        finished_at timestamptz
      );
      insert into search_walks (name) values ('messages'), ('tickets'), ('customers'), ('attachments');

      create function tickets_with_words(account uuid, wanted tsquery) returns setof uuid
        language sql stable parallel safe rows 100
        set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
        as $$
          select ticket_id from ticket_words where account_id = account and words @@ wanted
        $$;
      create function tickets_of_customers_with_words(account uuid, wanted tsquery) returns setof uuid
        language sql stable parallel safe rows 100
        set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
        set enable_hashjoin = off set enable_mergejoin = off
        as $$
          select tickets.id from customer_words c join tickets on tickets.customer_id = c.customer_id
          where c.account_id = account and c.words @@ wanted
        $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function tickets_of_customers_with_words;
      drop function tickets_with_words;
      drop table search_walks, customer_words;
      alter table ticket_words drop column version;
    `);
  }
}
