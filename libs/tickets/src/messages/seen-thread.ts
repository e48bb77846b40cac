import { type AccountTx, isUuid, uuidAt } from '#libs/database';
import { Conflict, type Message, type Ticket } from '#libs/entities';
import { listHeldIds } from './held-reply.statements.js';
import { readNewestIds } from './message.statements.js';

export interface SeenThread {
  readonly messages: number;
  readonly held: readonly string[];
}

export class UnseenMessages extends Conflict {
  constructor() {
    super('message_came', 'A message came since this page was loaded. Read it, and send again.');
  }
}

export function refuseOtherCustomer(
  { customer }: Ticket,
  { customerId = null }: { readonly customerId?: string | null | undefined },
): void {
  if (customerId === null || customerId === customer.id) return;
  const words = `The customer of this ticket is now ${customer.email}. Check the text before you send it.`;
  throw new Conflict('customer_changed', words);
}

type SentMessage = Pick<Message, 'id' | 'authorAgentId'>;

export async function refuseUnseen(tx: AccountTx, ticket: Ticket, seen: SeenThread, agentId: string): Promise<void> {
  const [waiting, newest] = await Promise.all([listHeldIds(tx, ticket.id), readNewestIds(tx, ticket.id)]);
  const unseen = unseenIn(seen, { messageCount: ticket.messageCount, newest, waiting }, agentId);
  if (unseen.count > 0 || unseen.waiting.length > 0) throw new UnseenMessages();
}

/**
 * A page shows only the sender of a colleague's held reply, so that reply is unseen again once it is a message.
 * Comparing counts is not enough: an undone reply and a new message would cancel out.
 */
export function unseenIn<Sent extends SentMessage, Held extends { readonly id: string }>(
  seen: SeenThread,
  current: { readonly messageCount: number; readonly newest: readonly Sent[]; readonly waiting: readonly Held[] },
  agentId: string,
): { readonly count: number; readonly messages: readonly Sent[]; readonly waiting: readonly Held[] } {
  const { messageCount, newest, waiting } = current;
  const shown = new Set(seen.held.map(endOf));
  const isOwn = ({ id, authorAgentId }: Sent) => authorAgentId === agentId && shown.has(endOf(id));
  const count = Math.max(0, messageCount - seen.messages - newest.filter(isOwn).length);
  return {
    count,
    messages: newest.filter((message) => !isOwn(message)).slice(0, count),
    waiting: waiting.filter(({ id }) => !shown.has(endOf(id))),
  };
}

/** The id of the message that a held reply becomes: the time of the message, and the end of the reply's id. */
export const idOfSent = (held: string, now: Date): string => uuidAt(now).slice(0, TIME_CHARACTERS) + endOf(held);

const TIME_CHARACTERS = '00000000-0000'.length;

const endOf = (id: string): string => id.slice(TIME_CHARACTERS);

const SEEN = /^(\d{1,9})((?:,[\w-]{36}){0,100})$/;

/** Unknown formats have seen nothing. */
export function parseSeen(text: string): SeenThread {
  const [, messages = '0', held = ''] = SEEN.exec(text) ?? [];
  return { messages: Number(messages), held: held.split(',').filter(isUuid) };
}

export const formatSeen = ({ messages, held }: SeenThread): string => [messages, ...held].join(',');
