import { MAX_EXTERNAL_ID_CHARACTERS, TICKET_PRIORITIES, TICKET_STATES, type TicketPriority } from '#libs/entities';
import {
  API_FOLDER_IDS,
  type ApiFolderId,
  INCLUDED,
  type Included,
  MAX_INCLUDED_MESSAGES,
  NONE,
  SEARCH_OPERATORS,
  SNOOZED,
  TICKET_SORTS,
  type TicketQuery,
  type TicketSort,
  type TicketStateFilter,
} from '#libs/tickets';
import { IsIn } from 'class-validator';
import { IsTime, ListFilter, Optional, Text, TextOrEmpty, timeOf } from '../layers/edge/field-decorators.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';

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
  @Optional('Lists only the ticket with this `external_id`.', Text(MAX_EXTERNAL_ID_CHARACTERS)) external_id?: string;
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
      externalId: this.external_id,
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
