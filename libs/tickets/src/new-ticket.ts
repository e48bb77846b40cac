import { uuidAt } from '#libs/database';
import {
  Agent,
  Group,
  InvalidField,
  InvalidFields,
  Mailbox,
  type MessageChannel,
  Ticket,
  type TicketPriority,
  type TicketState,
  beginningOf,
  distinctTags,
} from '#libs/entities';
import { type RenderedBody, summaryOf } from './bodies/render-body.js';
import type { CustomerFields } from './customers/find-or-create-customer.statements.js';
import { unknownReference } from './references.js';

export interface NewTicket {
  readonly body: string;
  /** An agent's e-mail means that the agent starts the ticket and `to` is the customer. */
  readonly from: CustomerFields;
  readonly to: CustomerFields;
  readonly title: string | null;
  readonly state: TicketState;
  readonly priority: TicketPriority | null;
  readonly tags: readonly string[];
  readonly mailbox?: string | undefined;
  readonly assignee?: string | null | undefined;
  readonly assignedGroup?: string | null | undefined;
  readonly note?: boolean | undefined;
  readonly sentAt?: Date | undefined;
  readonly channel?: MessageChannel | undefined;
  /** Imported from before the mailbox was connected, so nobody waits for an answer. */
  readonly isOlder?: boolean | undefined;
  readonly toAddresses?: readonly string[] | undefined;
  readonly ccAddresses?: readonly string[] | undefined;
  /** Defaults to `ccAddresses`. */
  readonly peopleInCopy?: readonly string[] | undefined;
  /** Defaults to the setting of the mailbox. */
  readonly copyToCustomer?: boolean | undefined;
}

export interface TicketReferences {
  readonly author: Agent | null;
  readonly mailbox: Mailbox;
  readonly assignee: Agent | null;
  readonly group: Group | null;
  readonly closer: Agent | null;
}

export function refuseUnknown(wanted: NewTicket, references: TicketReferences, mailboxAsked: boolean): void {
  const faults: InvalidField[] = [];
  if (!references.mailbox)
    faults.push(new InvalidField('mailbox', 'no_mailbox', 'The account has no mailbox to put the ticket in'));
  else if (wanted.mailbox !== undefined && !mailboxAsked) faults.push(unknownReference('mailbox'));
  if (wanted.assignee && !references.assignee) faults.push(unknownReference('assignee'));
  if (wanted.assignedGroup && !references.group) faults.push(unknownReference('assigned_group'));
  if (wanted.note && !references.author)
    faults.push(new InvalidField('note', 'note_by_customer', 'only agents write notes, and from is not an agent'));
  if (faults.length > 0) throw new InvalidFields(faults);
}

export function buildTicket({ wanted, rendered, references, number, now }: TicketDraft): Ticket {
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
    waitingSince: references.author || wanted.isOlder ? null : now,
    createdAt: now,
    updatedAt: now,
  });
  ticket.setState(wanted.state, references.closer, now);
  ticket.assignTo(references.assignee, now);
  ticket.assignToGroup(references.group, now);
  return ticket;
}

export interface TicketDraft {
  readonly wanted: NewTicket;
  readonly rendered: RenderedBody;
  readonly references: TicketReferences;
  readonly number: number;
  readonly now: Date;
}
