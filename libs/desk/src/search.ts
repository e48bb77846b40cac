import { type AccountConnection, type AccountTx, accountStatement } from '#libs/database';
import type { Ticket } from '#libs/entities';

/** The search must cut words exactly where the index does, so PostgreSQL's own parser is asked. */
const TERMS = accountStatement(
  'search_terms',
  `select term from accounts, unnest(tsvector_to_array(search_words(accounts.id, $2))) term where accounts.id = $1`,
);

/** More words than anybody types; each is a look into the index. */
const MOST_TERMS = 8;

/**
 * The words of `q` as PostgreSQL queries, one each: a ticket is found when every word stands somewhere in it, in
 * whichever message. A word also finds longer ones that begin with it.
 */
export async function searchTerms(connection: AccountConnection, q: string): Promise<string[]> {
  const rows = await connection.rows<{ term: string }>(TERMS, [q]);
  return rows.slice(0, MOST_TERMS).map(({ term }) => `'${term.replaceAll(/['\\]/g, '$&$&')}':*`);
}

const INDEX_TITLE = accountStatement(
  'search_index_title',
  `insert into ticket_words (ticket_id, source_id, account_id, words) values ($2, $2, $1, search_words($1, $3))
   on conflict (ticket_id, source_id) do update set words = excluded.words`,
);

export async function indexTitle(tx: AccountTx, ticket: Ticket): Promise<void> {
  await tx.rows(INDEX_TITLE, [ticket.id, ticket.title ?? '']);
}
