import {
  MAX_TITLE_CHARACTERS,
  TICKET_PRIORITIES,
  TICKET_STATES,
  type TicketPriority,
  type TicketState,
} from '#libs/entities';
import {
  API_FOLDER_IDS,
  type ApiFolderId,
  INCLUDED,
  type Included,
  MAX_CC,
  MAX_INCLUDED_MESSAGES,
  NONE,
  type NewTicket,
  SEARCH_OPERATORS,
  SNOOZED,
  TICKET_SORTS,
  type TicketQuery,
  type TicketSort,
  type TicketStateFilter,
} from '#libs/tickets';
import { applyDecorators } from '@nestjs/common';
import { Transform, plainToInstance } from 'class-transformer';
import { IsIn, IsInstance, ValidateNested } from 'class-validator';
import { CustomerDto } from '../customers/index.js';
import { ApiDescription } from '../layers/edge/api-operation.decorator.js';
import {
  BooleanFlag,
  Emails,
  IsEmailOrId,
  IsTime,
  ListFilter,
  MAX_BODY_CHARACTERS,
  Optional,
  Tags,
  Text,
  TextOrEmpty,
  timeOf,
} from '../layers/edge/field-decorators.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';

class PartyDto extends CustomerDto {}

/** A string is an email address. */
const toParty = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))
    ? plainToInstance(PartyDto, typeof value === 'string' ? { email: value } : value)
    : value;

const Party = () => applyDecorators(IsInstance(PartyDto), ValidateNested(), Transform(toParty));

export class CreateTicketDto {
  @ApiDescription('The first message: plain text or HTML.') @Text(MAX_BODY_CHARACTERS) body: string;
  @ApiDescription('The sender. If it is an agent, the agent starts the ticket and `to` is the customer.')
  @Party()
  from: PartyDto;
  @ApiDescription('The email of a mailbox if a customer starts the ticket; otherwise the customer.')
  @Party()
  to: PartyDto;
  @Optional('Emails that get a copy of the first message, and of the next reply from the console.', Emails(MAX_CC))
  cc?: string[] | null;
  @Optional('The title of the ticket.', TextOrEmpty(MAX_TITLE_CHARACTERS)) subject?: string | null;
  @Optional('Mailbox by name, email or id. Default: the mailbox named in `to`, else the oldest.', Text(320))
  mailbox?: string | null;
  @Optional('Email or id of an agent.', IsEmailOrId()) assignee?: string | null;
  @Optional('Name or id of a group.', Text(100)) assigned_group?: string | null;
  @Optional({ words: 'The initial state.', default: 'unread' }, IsIn(TICKET_STATES)) state?: TicketState | null;
  @Optional('The initial priority.', IsIn(TICKET_PRIORITIES)) priority?: TicketPriority | null;
  @Optional('Tag names.', Tags()) tags?: string[] | null;
  @Optional(
    { words: 'Whether the first message is an internal note. Only agents can write notes.', default: false },
    BooleanFlag(),
  )
  note?: boolean | null;
  @Optional('When the first message was written. Default: now.', IsTime()) sent_at?: string | null;
  @Optional(
    'Whether to email the message to the customer, if an agent starts the ticket. Default: the setting of the mailbox.',
    BooleanFlag(),
  )
  send_copy_to_customer?: boolean | null;

  toInput(): NewTicket {
    return {
      body: this.body,
      from: this.from.toInput(),
      to: this.to.toInput(),
      ccAddresses: this.cc ?? undefined,
      title: this.subject || null,
      state: this.state ?? 'unread',
      priority: this.priority ?? null,
      tags: this.tags ?? [],
      mailbox: this.mailbox ?? undefined,
      assignee: this.assignee,
      assignedGroup: this.assigned_group,
      note: this.note ?? false,
      sentAt: timeOf(this.sent_at),
      copyToCustomer: this.send_copy_to_customer ?? undefined,
    };
  }
}

const NEWEST_FIRST = '-created_at';

const SEARCH_DESCRIPTION = [
  'Words that must all occur in the ticket: subject, messages, notes, tags, file names, and the customer’s name, email',
  'and company. Prefixes match. `297` also matches a ticket number, `#297` only that. `"…"` matches a phrase, and `-`',
  'excludes what follows.',
  ...SEARCH_OPERATORS.map(({ operator, finds }) => `\`${operator}\` ${finds};`),
]
  .join(' ')
  .replace(/;$/, '.');

const Include = () =>
  ListFilter(
    `Records to include in each ticket, separated by commas. Includes the first ${MAX_INCLUDED_MESSAGES} messages of a ticket, as many as fit in 2 MiB.`,
    IsIn(INCLUDED, { each: true }),
  );

export class IncludeQueryDto {
  @Include() include?: Included[];
}

export class TicketsQueryDto extends PageQueryDto {
  @Optional('A built-in view. Lists only its tickets.', IsIn(API_FOLDER_IDS)) folder?: ApiFolderId;
  @Optional('Email or id of a customer.', TextOrEmpty(320)) customer?: string;
  @Optional('Email or id of an agent, or `unassigned`.', TextOrEmpty(320)) assignee?: string;
  @Optional('Name or id of a group, or `none`.', TextOrEmpty(320)) assigned_group?: string;
  @ListFilter(
    'States, separated by commas. `snoozed` finds snoozed tickets of any state.',
    IsIn([...TICKET_STATES, SNOOZED], { each: true }),
  )
  state?: TicketStateFilter[];
  @Optional('Name, email or id of a mailbox.', TextOrEmpty(320)) mailbox?: string;
  @Optional('Name of a tag.', TextOrEmpty(100)) tag?: string;
  @Optional('A priority, or `none`.', IsIn([...TICKET_PRIORITIES, NONE])) priority?: TicketPriority | typeof NONE;
  @Optional('Lists only tickets created at this time or later.', IsTime()) created_since?: string;
  @Optional('Lists only tickets created before this time.', IsTime()) created_before?: string;
  @Optional('Lists only tickets changed at this time or later.', IsTime()) updated_since?: string;
  @Optional(SEARCH_DESCRIPTION, TextOrEmpty(500)) q?: string;
  @Optional({ words: 'The order; `-` means descending.', default: NEWEST_FIRST }, IsIn(TICKET_SORTS)) sort?: TicketSort;

  @Include() include?: Included[];

  override toQuery(): TicketQuery {
    return {
      ...super.toQuery(),
      folder: this.folder,
      customer: this.customer,
      assignee: this.assignee === 'unassigned' ? null : this.assignee,
      assignedGroup: this.assigned_group === NONE ? null : this.assigned_group,
      states: this.state,
      mailbox: this.mailbox,
      tag: this.tag,
      priority: this.priority === NONE ? null : this.priority,
      createdSince: timeOf(this.created_since),
      createdBefore: timeOf(this.created_before),
      updatedSince: timeOf(this.updated_since),
      q: this.q,
      sort: this.sort ?? NEWEST_FIRST,
    };
  }
}

export class CountQueryDto {
  @Optional('Name, email or id of the mailbox to count.', TextOrEmpty(320)) mailbox?: string;
}
