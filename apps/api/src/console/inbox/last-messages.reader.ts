import { Database, accountStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** Enough of a message for one line of the list. */
const LINE_CHARACTERS = 200;

/** No more are looked through for the agent who answered last. */
const MOST_UNANSWERED = 50;

const LAST = accountStatement(
  'console_last_messages',
  `select t.number, last.text, last.agent, last."byAgent",
     (select min(w.created_at) from (
        select s.created_at, s.author_agent_id is not null as "byAgent",
          bool_or(s.author_agent_id is not null) over (order by s.id desc) as answered
        from (select id, created_at, author_agent_id from messages
              where ticket_id = t.id and not note order by id desc limit ${MOST_UNANSWERED}) s
      ) w where not w.answered) as "waitingSince"
   from tickets t cross join lateral (
     select left(s.plain_text_body, ${LINE_CHARACTERS}) as text, s.author_agent_id is not null as "byAgent",
       coalesce(nullif(trim(concat(a.first_name, ' ', a.last_name)), ''), a.email) as agent
     from messages s left join agents a on a.id = s.author_agent_id
     where s.ticket_id = t.id and not s.note order by s.id desc limit 1
   ) last
   where t.account_id = $1 and t.number = any($2)`,
);

/** What was said last on a ticket, by whom, and since when the customer has waited for an answer. */
export interface LastMessage {
  readonly number: number;
  readonly text: string;
  readonly byAgent: boolean;
  /** Who it was, of agents. */
  readonly agent: string | null;
  readonly waitingSince: Date | null;
}

@Injectable()
export class LastMessagesReader {
  constructor(private readonly database: Database) {}

  /** By the number of the ticket. One round trip. */
  async read(accountId: string, numbers: readonly number[]): Promise<ReadonlyMap<number, LastMessage>> {
    const rows = await this.database.account(accountId).rows<LastMessage>(LAST, [numbers]);
    return new Map(rows.map((row) => [row.number, row]));
  }
}
