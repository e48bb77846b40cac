import { type AccountConnection, accountStatement } from '#libs/database';

/** Limits the time of marking. A match further back is found but not shown. */
const SHOWN_CHARACTERS = 20_000;

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

export interface FoundText {
  readonly number: number;
  readonly kind: 'message' | 'note' | 'file';
  readonly text: string;
}

export const findTexts = (connection: AccountConnection, numbers: readonly number[], query: string) =>
  connection.rows<FoundText>(FIND_TEXTS, [numbers, query]);
