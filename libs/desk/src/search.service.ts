import { type AccountConnection, type AccountTx, accountQuery, accountStatement } from '#libs/database';
import type { Ticket } from '#libs/entities';
import { CountCache } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import type { SearchTerm, TagTerm } from './lists/ticket-filter.js';

/** The search must cut words exactly where the index does, so PostgreSQL's own parser is asked. */
const TERMS = accountStatement(
  'search_terms',
  `select term from accounts, unnest(tsvector_to_array(search_words(accounts.id, $2))) term where accounts.id = $1`,
);

/** More words than anybody types; each is a look into the index. */
const MOST_TERMS = 8;

/**
 * What a word is found by best depends on how many it finds, which PostgreSQL cannot estimate for the beginnings of
 * words: up to here its tickets are fetched and sorted, beyond it the newest tickets are looked through for it. At a
 * million tickets both cost the same with about so many; either way it is some milliseconds.
 */
const RARE_WORD = 3000;
/** Lower, because looking through tags, which stand in the ticket itself, costs less. */
const RARE_TAG = 1500;

/** Planned for its value: whether the index or the table is read depends on it. */
const WITH_WORD = `ticket_words w where w.account_id = $1 and w.words @@ $2::tsquery`;
const WITH_TAG = `tickets t where t.account_id = $1 and t.tags <> '{}'
  and account_words(t.account_id, t.tags) @> account_words($1, array[$2::text])`;

@Injectable()
export class SearchService {
  constructor(private readonly cache: CountCache) {}

  /**
   * The words of `q`, one term each: a ticket is found when every word stands somewhere in it, in whichever message. A
   * word also finds longer ones that begin with it. Round trips: 1, and 1 for each word not known to be common.
   */
  async terms(connection: AccountConnection, q: string): Promise<SearchTerm[]> {
    const rows = await connection.rows<{ term: string }>(TERMS, [q]);
    const queries = rows.slice(0, MOST_TERMS).map(({ term }) => `'${term.replaceAll(/['\\]/g, '$&$&')}':*`);
    const terms: SearchTerm[] = [];
    for (const query of queries)
      terms.push({ query, rare: await this.isRare(connection, { rows: WITH_WORD, value: query, most: RARE_WORD }) });
    return terms;
  }

  /** Round trips: 1, none where it is known to be common. */
  async tag(connection: AccountConnection, name: string): Promise<TagTerm> {
    return { name, rare: await this.isRare(connection, { rows: WITH_TAG, value: name, most: RARE_TAG }) };
  }

  private async isRare(connection: AccountConnection, sought: MatchQuery): Promise<boolean> {
    const key = JSON.stringify([connection.accountId, 'common', sought.rows, sought.value]);
    if (this.cache.get(key) === true) return false;
    const rare = (await found(connection, sought)) <= sought.most;
    if (!rare) this.cache.set(key, true);
    return rare;
  }
}

interface MatchQuery {
  readonly rows: string;
  readonly value: string;
  readonly most: number;
}

async function found(connection: AccountConnection, { rows, value, most }: MatchQuery): Promise<number> {
  const text = `select count(*)::integer as found from (select 1 from ${rows} limit ${most + 1}) matches`;
  return (await connection.row<{ found: number }>(accountQuery(text), [value]))!.found;
}

const INDEX_TITLE = accountStatement(
  'search_index_title',
  `insert into ticket_words (ticket_id, source_id, account_id, words) values ($2, $2, $1, search_words($1, $3))
   on conflict (ticket_id, source_id) do update set words = excluded.words`,
);

export async function indexTitle(tx: AccountTx, ticket: Ticket): Promise<void> {
  await tx.rows(INDEX_TITLE, [ticket.id, ticket.title ?? '']);
}
