import { Database, accountStatement, filter } from '#libs/database';
import type { Message, Ticket } from '#libs/entities';
import type { RequestContext } from '#libs/tickets';
import { Injectable } from '@nestjs/common';

/**
 * Whoever looks again at what they have seen locks and writes nothing, so that nothing has to reach the disk before the
 * page is drawn. The ticket is locked against being purged meanwhile. Of two pages that are drawn at once, the newer
 * message counts.
 */
const MARK = accountStatement(
  'console_read_mark',
  `with before as (
     select message_id from read_marks where account_id = $1 and agent_id = $2 and ticket_id = $3
   ), live as (
     select id from tickets where id = $3 and ${filter('account_id = $1')}
       and not exists (select from before where message_id >= $4) for key share
   ), marked as (
     insert into read_marks as m (agent_id, ticket_id, account_id, message_id) select $2, id, $1, $4 from live
     on conflict (ticket_id, agent_id) do update set message_id = excluded.message_id
       where m.message_id < excluded.message_id
   ) select message_id as "messageId" from before`,
);

/** How far each agent has read each ticket. */
@Injectable()
export class ReadMarksService {
  constructor(private readonly database: Database) {}

  /**
   * The first of these messages, oldest first, that the agent has not seen. Now all of them are. To somebody who never had the
   * ticket open, what waits for an answer is new. Round trips: 1.
   */
  async read(context: RequestContext, ticket: Ticket, messages: readonly Message[]): Promise<string | null> {
    const newest = messages.at(-1);
    if (!newest) return null;
    const values = [context.agentId, ticket.id, newest.id];
    const before = await this.database.account(context.accountId).row<{ messageId: string }>(MARK, values);
    const after = before?.messageId ?? lastAnswer(messages);
    return messages.find(({ id, authorAgentId }) => id > after && authorAgentId !== context.agentId)?.id ?? null;
  }
}

const lastAnswer = (messages: readonly Message[]): string =>
  messages.findLast(({ authorAgentId, note }) => authorAgentId !== null && !note)?.id ?? '';
