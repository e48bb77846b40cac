import {
  type AccountConnection,
  type AccountTx,
  accountStatement,
  columns,
  hydrate,
  rowById,
  rowByKey,
  rowByKeyOrId,
  uuidAt,
  writtenColumns,
} from '#libs/database';
import {
  Agent,
  type CustomFields,
  Customer,
  Group,
  InvalidField,
  InvalidFields,
  Mailbox,
  Message,
  Ticket,
  type TicketPriority,
  type TicketState,
  beginningOf,
  distinctTags,
} from '#libs/entities';
import { type RenderedBody, summaryOf } from './bodies/render-body.js';
import {
  type CustomerFields,
  addedCustomer,
  upsertCustomerSql,
  upsertValues,
} from './customers/customer.statements.js';
import { type Imported, createdAtOf } from './imports.js';
import { type WrittenMessage, newMessage } from './messages/new-message.js';
import { parsePersonReference, parseReference, unknownReference } from './references.js';
import { ticketVector, wordVector } from './search/lexemes.js';
import { indexCustomer } from './search/search-index.statements.js';
import { storedFields } from './ticket-changes.js';

export interface NewTicket extends Omit<WrittenMessage, 'automatic'> {
  /** An agent's email means that the agent starts the ticket and `to` is the customer. */
  readonly from: CustomerFields;
  readonly to: CustomerFields;
  readonly title: string | null;
  readonly state: TicketState;
  readonly priority: TicketPriority | null;
  readonly tags: readonly string[];
  readonly mailbox?: string | undefined;
  readonly assignee?: string | null | undefined;
  readonly assignedGroup?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly custom?: CustomFields | null | undefined;
  readonly imported?: Imported | undefined;
  /** An automatic email, or one from before the mailbox was connected. */
  readonly needsNoReply?: boolean | undefined;
  /** Defaults to `ccAddresses`. */
  readonly peopleInCopy?: readonly string[] | undefined;
  /** Defaults to the setting of the mailbox. */
  readonly copyToCustomer?: boolean | undefined;
  /** The ticket whose messages this one forwards. */
  readonly forwardOf?: number | undefined;
}

interface TicketReferences {
  readonly author: Agent | null;
  readonly mailbox: Mailbox;
  readonly assignee: Agent | null;
  readonly group: Group | null;
  readonly closer: Agent | null;
}

/** Prefers the given mailbox, then the one written to, then the account's oldest. */
const FIND_REFERENCES = accountStatement(
  'ticket_find_references',
  `select ${columns(Agent, 'f')}, ${columns(Mailbox, 'm')}, ${columns(Agent, 'a')}, ${columns(Group, 'g')},
     ${columns(Agent, 'b')}, m.asked
   from accounts
   left join ${rowByKey('agents', 'email', '$2')} f on true
   left join ${rowByKeyOrId('agents', 'email', ['$3', '$4'])} a on true
   left join ${rowByKeyOrId('groups', 'name', ['$5', '$6'])} g on true
   left join ${rowById('agents', '$7')} b on true
   left join lateral (
     select *, coalesce(name = $8 or email = lower($8) or id = $9, false) as asked from mailboxes where account_id = $1
     order by asked desc, (email = $10) desc, created_at, id limit 1
   ) m on true
   where accounts.id = $1`,
);

export async function resolveReferences(connection: AccountConnection, agentId: string, wanted: NewTicket) {
  const row = (await connection.row(FIND_REFERENCES, [
    wanted.from.email,
    ...Object.values(parsePersonReference(wanted.assignee)),
    ...Object.values(parseReference(wanted.assignedGroup)),
    wanted.state === 'closed' ? agentId : null,
    ...Object.values(parseReference(wanted.mailbox)),
    wanted.to.email,
  ]))!;
  const references = {
    author: hydrate(Agent, row, 'f'),
    mailbox: hydrate(Mailbox, row, 'm')!,
    assignee: hydrate(Agent, row, 'a'),
    group: hydrate(Group, row, 'g'),
    closer: hydrate(Agent, row, 'b'),
  };
  refuseUnknown(wanted, references, row['asked'] === true);
  return references;
}

function refuseUnknown(wanted: NewTicket, references: TicketReferences, mailboxAsked: boolean): void {
  const faults: InvalidField[] = [];
  if (wanted.imported?.closedAt && wanted.state !== 'closed')
    faults.push(new InvalidField('closed_at', 'not_closed', 'closed_at needs the state closed'));
  if (!references.mailbox)
    faults.push(new InvalidField('mailbox', 'no_mailbox', 'The account has no mailbox to put the ticket in'));
  else if (wanted.mailbox !== undefined && !mailboxAsked) faults.push(unknownReference('mailbox'));
  if (wanted.assignee && !references.assignee) faults.push(unknownReference('assignee'));
  if (wanted.assignedGroup && !references.group) faults.push(unknownReference('assigned_group'));
  if (wanted.note && !references.author)
    faults.push(new InvalidField('note', 'note_by_customer', 'only agents write notes, and from is not an agent'));
  if (faults.length > 0) throw new InvalidFields(faults);
}

interface TicketDraft {
  readonly wanted: NewTicket;
  readonly rendered: RenderedBody;
  readonly references: TicketReferences;
  readonly number: number;
  readonly applicationId: string | null;
  readonly now: Date;
}

const TICKET = writtenColumns(Ticket, 4, ['accountId', 'customerId']);
const MESSAGE = writtenColumns(Message, TICKET.next, ['accountId', 'ticketId', 'authorCustomerId']);

const INSERT_TICKET = accountStatement(
  'ticket_insert',
  `with c as (${upsertCustomerSql('$2', '$3')}),
   t as (
     insert into tickets (account_id, customer_id, ${TICKET.names}) select $1, c.id, ${TICKET.parameters} from c
   ), m as (
     insert into messages (account_id, ticket_id, author_customer_id, ${MESSAGE.names})
     select $1, ${TICKET.parameter('id')}, case when ${MESSAGE.parameter('authorAgentId')}::uuid is null then c.id end,
       ${MESSAGE.parameters} from c
   ), words as (
     insert into ticket_words (ticket_id, source_id, account_id, words)
     values (${TICKET.parameter('id')}, ${TICKET.parameter('id')}, $1, $${MESSAGE.next}),
       (${TICKET.parameter('id')}, ${MESSAGE.parameter('id')}, $1, $${MESSAGE.next + 1})
   )
   select ${columns(Customer, 'c')}, added from c`,
);

export async function insertTicket(tx: AccountTx, draft: TicketDraft) {
  const { wanted, rendered, references, applicationId, now } = draft;
  const createdAt = createdAtOf(wanted.imported, now);
  const ticket = buildTicket(draft, createdAt);
  const toAddresses = references.author && !wanted.note ? [wanted.to.email] : wanted.toAddresses;
  const message = newMessage({ ...wanted, toAddresses, rendered }, ticket, references.author, createdAt);
  message.applicationId = applicationId;
  const row = await tx.row(INSERT_TICKET, [
    ...upsertValues(references.author ? wanted.to : wanted.from, now),
    ...TICKET.values(ticket),
    ...MESSAGE.values(message),
    ticketVector(tx.accountId, ticket),
    wordVector(tx.accountId, message.plainTextBody),
  ]);
  const { customer, added } = addedCustomer(row!);
  indexCustomer(tx, customer, now);
  Object.assign(ticket, { customer, customerId: customer.id });
  return { ticket, customer, added, messageId: message.id };
}

function buildTicket({ wanted, rendered, references, number }: TicketDraft, now: Date): Ticket {
  const { imported } = wanted;
  const ticket = Object.assign(new Ticket(), {
    id: uuidAt(now),
    number,
    title: wanted.title,
    state: 'unread' as const,
    priority: wanted.priority,
    mailbox: references.mailbox,
    mailboxId: references.mailbox.id,
    tags: distinctTags(wanted.tags),
    ccAddresses: wanted.peopleInCopy ?? wanted.ccAddresses ?? [],
    summary: summaryOf(rendered.plainTextBody),
    lastMessageText: wanted.note ? null : beginningOf(rendered.plainTextBody),
    messageCount: 1,
    externalId: wanted.externalId ?? null,
    custom: storedFields(wanted.custom),
    waitingSince: references.author || wanted.needsNoReply || imported ? null : now,
    createdAt: now,
    updatedAt: now,
  });
  ticket.setState(wanted.state, imported ? null : references.closer, imported?.closedAt ?? now);
  if (imported && !imported.closedAt) ticket.resolutionTime = null;
  ticket.assignTo(references.assignee, now);
  ticket.assignToGroup(references.group, now);
  ticket.updatedAt = now;
  return ticket;
}
