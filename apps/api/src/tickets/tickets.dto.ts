import {
  type CustomFields,
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_TITLE_CHARACTERS,
  TICKET_PRIORITIES,
  TICKET_STATES,
  type TicketPriority,
  type TicketState,
} from '#libs/entities';
import { MAX_CC, type NewTicket } from '#libs/tickets';
import { applyDecorators } from '@nestjs/common';
import { Transform, plainToInstance } from 'class-transformer';
import { IsIn, IsInstance, ValidateNested } from 'class-validator';
import { CustomerDto } from '../customers/index.js';
import { ApiDescription } from '../layers/edge/api-operation.decorator.js';
import { titleIn } from './ticket-parts.dto.js';
import {
  BooleanFlag,
  Emails,
  IsCustomFields,
  IsEmailOrId,
  IsTime,
  MAX_BODY_CHARACTERS,
  Optional,
  Tags,
  Text,
  TextOrEmpty,
  timeOf,
} from '../layers/edge/field-decorators.js';
import { ImportFlag, ImportedTime } from '../layers/oauth/imports.js';

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
  @Optional('Alias of `subject`.', TextOrEmpty(MAX_TITLE_CHARACTERS)) title?: string | null;
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
  @Optional('Id of the ticket in your system. Unique in the account.', Text(MAX_EXTERNAL_ID_CHARACTERS))
  external_id?: string | null;
  @Optional('Custom fields. Values are text, numbers, booleans or null.', IsCustomFields())
  custom?: CustomFields | null;
  @ImportFlag() import?: boolean | null;
  @ImportedTime('When the ticket was started.') created_at?: string | null;
  @ImportedTime('When the ticket was closed, if its state is `closed`.') closed_at?: string | null;

  toInput(): NewTicket {
    return {
      body: this.body,
      from: this.from.toInput(),
      to: this.to.toInput(),
      ccAddresses: this.cc ?? undefined,
      title: titleIn(this) ?? null,
      state: this.state ?? 'unread',
      priority: this.priority ?? null,
      tags: this.tags ?? [],
      mailbox: this.mailbox ?? undefined,
      assignee: this.assignee,
      assignedGroup: this.assigned_group,
      note: this.note ?? false,
      sentAt: timeOf(this.sent_at),
      copyToCustomer: this.send_copy_to_customer ?? undefined,
      externalId: this.external_id,
      custom: this.custom,
    };
  }
}
