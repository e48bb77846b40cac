import { type AccountTx, accountStatement, isUuid, uuidAt } from '#libs/database';
import { Conflict, type Ticket } from '#libs/entities';
import { heldIds } from './held-reply.statements.js';

/** What a page showed of a ticket: how many messages it had, and which replies waited. */
export interface SeenThread {
  readonly messages: number;
  readonly held: readonly string[];
}

/** The ticket has messages that the author had not seen. */
export class MessageCame extends Conflict {
  constructor() {
    super('message_came', 'A message came since this page was loaded. Read it, and send again.');
  }
}

/** Where more came, they cannot all have waited. */
const MOST_SENT = 20;

const NEWEST = accountStatement(
  'message_newest_ids',
  `select id from messages where account_id = $1 and ticket_id = $2 order by id desc limit ${MOST_SENT}`,
);

/**
 * Everything that is there has been seen: no other reply waits, and what came since are the replies that waited on the page.
 * Numbers alone would not do, because a reply that is taken back and a message that comes make up for each other. Round trips: 2
 * side by side.
 */
export async function refuseUnseen(tx: AccountTx, ticket: Ticket, seen: SeenThread): Promise<void> {
  const [waiting, newest] = await Promise.all([heldIds(tx, ticket.id), tx.rows<{ id: string }>(NEWEST, [ticket.id])]);
  const shown = new Set(seen.held.map(endOf));
  const sent = newest.filter(({ id }) => shown.has(endOf(id))).length;
  const isSeen = waiting.every((id) => shown.has(endOf(id))) && ticket.messageCount <= seen.messages + sent;
  if (!isSeen) throw new MessageCame();
}

/** The id of the message that a reply becomes: its time is that of the message, and its end says which reply it was. */
export const idOfSent = (held: string, now: Date): string => uuidAt(now).slice(0, TIME_CHARACTERS) + endOf(held);

const TIME_CHARACTERS = '00000000-0000'.length;

const endOf = (id: string): string => id.slice(TIME_CHARACTERS);

const SEEN = /^(\d{1,9})((?:,[\w-]{36}){0,100})$/;

/** As it stands in a form. What is not understood, such as in a form of an earlier version, has seen nothing. */
export function parseSeen(text: string): SeenThread {
  const [, messages = '0', held = ''] = SEEN.exec(text) ?? [];
  return { messages: Number(messages), held: held.split(',').filter(isUuid) };
}

export const formatSeen = ({ messages, held }: SeenThread): string => [messages, ...held].join(',');
