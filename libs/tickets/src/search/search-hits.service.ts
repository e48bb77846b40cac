import { Transactions, accountStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request-context.js';
import { type MarkedText, SearchMarks } from './search-marks.js';
import { parseSearch } from './search-query.js';
import { wordQuery } from './word-query.js';

/** Limits the time of marking. A match further back is found but not shown. */
const SHOWN_CHARACTERS = 20_000;

/** Returns the newest matching message of each ticket, or else a matching file name. */
const FIND_TEXTS = accountStatement(
  'search_texts',
  `select t.number, hit.kind, hit.text from tickets t cross join lateral (
     select case when s.id is null then 'file' when s.note then 'note' else 'message' end as kind,
       coalesce(left(s.plain_text_body, ${SHOWN_CHARACTERS}), x.name) as text
     from ticket_words w left join messages s on s.id = w.source_id left join attachments x on x.id = w.source_id
     where w.ticket_id = t.id and w.source_id <> t.id and w.words @@ $3::tsquery
     order by s.id is null, s.id desc limit 1
   ) hit
   where t.account_id = $1 and t.number = any($2)`,
);

interface FoundText {
  readonly number: number;
  readonly kind: 'message' | 'note' | 'file';
  readonly text: string;
}

/** An excerpt of a ticket with the words that were found. */
export interface SearchHit {
  readonly kind: FoundText['kind'];
  readonly line: readonly MarkedText[];
}

export interface SearchHits {
  readonly marks: SearchMarks;
  /** By ticket number. Tickets found by other parts have none. */
  readonly lines: ReadonlyMap<number, SearchHit>;
}

@Injectable()
export class SearchHitsService {
  constructor(private readonly transactions: Transactions) {}

  async read(context: RequestContext, q: string, numbers: readonly number[]): Promise<SearchHits> {
    const parts = parseSearch(q);
    const marks = new SearchMarks(parts);
    const queries = parts.flatMap((part) =>
      part.kind === 'words' && !part.excluded ? [`(${wordQuery(context.accountId, part.words, part.asTheyAre)})`] : [],
    );
    if (queries.length === 0 || numbers.length === 0) return { marks, lines: new Map() };
    const account = this.transactions.account(context);
    const found = await account.rows<FoundText>(FIND_TEXTS, [numbers, queries.join(' | ')]);
    const lines = found.flatMap(({ number, kind, text }) => {
      const line = marks.excerpt(text);
      return line ? [[number, { kind, line }] as const] : [];
    });
    return { marks, lines: new Map(lines) };
  }
}
