import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The words of neighbouring tickets of an account stand together in the index, so those of the newest are read in one go.
 * And customers are looked up by their words as tickets are, whatever PostgreSQL believes about the table.
 */
export class WalkWordsByTicket1763600170000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index ticket_words_account_id_ticket_id_idx on ticket_words (account_id, ticket_id);

      create function customers_with_words(account uuid, wanted tsquery) returns setof uuid
        language sql stable parallel safe rows 100
        set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
        as $$
          select customer_id from customer_words where account_id = account and words @@ wanted
        $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function customers_with_words;
      drop index ticket_words_account_id_ticket_id_idx;
    `);
  }
}
