import { type AccountConnection, type AccountStatement, accountStatement } from '#libs/database';
import type { CopiedKind } from '#libs/entities';

/** Records that look different because another record changed, in the order of an index. */
interface WalkedRecords {
  readonly kind: CopiedKind;
  readonly statement: AccountStatement;
  /** Keys before the first record. */
  readonly beginning: readonly string[];
}

export interface WalkedRecord {
  readonly id: string;
  readonly keys: readonly string[];
  readonly bytes: number;
}

/** Assumed size of a record on a page. Messages have their real size. */
export const USUAL_BYTES = 1_000;
export const MESSAGE_BYTES = 'octet_length(s.body) + octet_length(s.plain_text_body)';

const LONG_AGO = '-infinity';

const ticketsWith = (walk: string, column: string): WalkedRecords => ({
  kind: 'ticket',
  beginning: [LONG_AGO, '0'],
  statement: accountStatement(
    `changes_${walk}`,
    `select t.id, array[t.created_at::text, t.number::text] as keys, ${USUAL_BYTES} as bytes from tickets t
     where t.account_id = $1 and t.${column} = $2 and (t.created_at, t.number) > ($3, $4)
     order by t.created_at, t.number limit $5`,
  ),
});

const messagesWhere = (walk: string, condition: string): WalkedRecords => ({
  kind: 'message',
  beginning: ['00000000-0000-0000-0000-000000000000'],
  statement: accountStatement(
    `changes_${walk}`,
    `select s.id, array[s.id::text] as keys, ${MESSAGE_BYTES} as bytes from messages s
     where s.account_id = $1 and ${condition} and s.id > $3 order by s.id limit $4`,
  ),
});

/** By the names that the triggers write. */
export const WALKS = {
  tickets_of_group: ticketsWith('tickets_of_group', 'assigned_group_id'),
  tickets_of_mailbox: ticketsWith('tickets_of_mailbox', 'mailbox_id'),
  tickets_of_customer: ticketsWith('tickets_of_customer', 'customer_id'),
  messages_by_customer: messagesWhere('messages_by_customer', 's.author_customer_id = $2'),
  messages_to_assignee: messagesWhere('messages_to_assignee', 's.ticket_id = $2 and s.author_agent_id is null'),
  messages_to_customer: {
    kind: 'message',
    beginning: [LONG_AGO, '0', '00000000-0000-0000-0000-000000000000'],
    statement: accountStatement(
      'changes_messages_to_customer',
      `select s.id, array[t.created_at::text, t.number::text, s.id::text] as keys, ${MESSAGE_BYTES} as bytes
       from tickets t join messages s on s.ticket_id = t.id
       where t.account_id = $1 and t.customer_id = $2 and s.author_agent_id is not null and not s.note
         and (t.created_at, t.number) >= ($3, $4) and (t.created_at, t.number, s.id) > ($3, $4, $5)
       order by t.created_at, t.number, s.id limit $6`,
    ),
  },
} as const satisfies Record<string, WalkedRecords>;

export type Walk = keyof typeof WALKS;

export const walk = (
  account: AccountConnection,
  name: Walk,
  { id, keys }: { readonly id: string; readonly keys?: readonly string[] | undefined },
  limit: number,
): Promise<WalkedRecord[]> =>
  account.rows<WalkedRecord>(WALKS[name].statement, [id, ...(keys ?? WALKS[name].beginning), limit]);
