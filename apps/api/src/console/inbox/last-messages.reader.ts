import { Database, accountStatement, rangeOf } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** Enough of a message for one line of the list. */
const LINE_CHARACTERS = 200;

const LAST = accountStatement(
  'console_last_messages',
  `select t.number, last.text, last.agent, last."byAgent"
   from tickets t cross join lateral (
     select left(s.plain_text_body, ${LINE_CHARACTERS}) as text, s.author_agent_id is not null as "byAgent",
       coalesce(nullif(trim(concat(a.first_name, ' ', a.last_name)), ''), a.email) as agent
     from messages s left join agents a on a.id = s.author_agent_id
     where ${rangeOf('s.ticket_id', 't.id')} and not s.note order by s.ticket_id desc, s.id desc limit 1
   ) last
   where t.account_id = $1 and t.number = any($2)`,
);

/** What was said last on a ticket, and by whom. */
export interface LastMessage {
  readonly number: number;
  readonly text: string;
  readonly byAgent: boolean;
  /** Who it was, of agents. */
  readonly agent: string | null;
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
