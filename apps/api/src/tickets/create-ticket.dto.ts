import { TICKET_PRIORITIES, TICKET_STATES, type TicketPriority, type TicketState } from '#libs/entities';
import { MAX_CC, type NewTicket } from '#libs/tickets';
import { applyDecorators } from '@nestjs/common';
import { Transform, plainToInstance } from 'class-transformer';
import { IsIn, IsInstance, IsOptional, ValidateNested } from 'class-validator';
import { ApiDescription } from '../edge/api-description.js';
import { CustomerDto } from '../customers/index.js';
import {
  BooleanFlag,
  Emails,
  TextOrEmpty,
  MAX_BODY_CHARACTERS,
  Tags,
  Text,
  IsTime,
  IsEmailOrId,
  timeOf,
} from '../edge/field-decorators.js';

/** Whom a ticket is from or to. */
class PartyDto extends CustomerDto {}

/** A string is the e-mail address of the party. */
const toParty = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))
    ? plainToInstance(PartyDto, typeof value === 'string' ? { email: value } : value)
    : value;

const Party = () => applyDecorators(IsInstance(PartyDto), ValidateNested(), Transform(toParty));

export class CreateTicketDto {
  @ApiDescription('The first message: plain text or HTML.') @Text(MAX_BODY_CHARACTERS) body: string;
  @ApiDescription('An agent’s e-mail means that the agent starts the ticket and `to` is the customer.')
  @Party()
  from: PartyDto;
  @ApiDescription('When a customer starts the ticket, the e-mail of a mailbox.')
  @Party()
  to: PartyDto;
  @ApiDescription('Who gets the first message besides the customer, and a copy of what the console answers next.')
  @IsOptional()
  @Emails(MAX_CC)
  cc?: string[] | null;
  @ApiDescription('The title of the ticket.') @IsOptional() @TextOrEmpty(500) subject?: string | null;
  @ApiDescription('Name, e-mail or id of a mailbox; the one `to` names, or else the account’s oldest, unless said.')
  @IsOptional()
  @Text(320)
  mailbox?: string | null;
  @ApiDescription('E-mail or id of an agent.') @IsOptional() @IsEmailOrId() assignee?: string | null;
  @ApiDescription('Name or id of a group.') @IsOptional() @Text(100) assigned_group?: string | null;
  @ApiDescription('What the ticket begins as.', { default: 'unread' })
  @IsOptional()
  @IsIn(TICKET_STATES)
  state?: TicketState | null;
  @ApiDescription('Null for none.') @IsOptional() @IsIn(TICKET_PRIORITIES) priority?: TicketPriority | null;
  @ApiDescription('Names of tags.') @IsOptional() @Tags() tags?: string[] | null;
  @ApiDescription('The first message is an internal note; only an agent writes those.', { default: false })
  @IsOptional()
  @BooleanFlag()
  note?: boolean | null;
  @ApiDescription('When the first message was written, where that was not now.')
  @IsOptional()
  @IsTime()
  sent_at?: string | null;
  @ApiDescription(
    'Where an agent starts the ticket: whether the message goes to the customer by mail as well. Else as the mailbox says.',
  )
  @IsOptional()
  @BooleanFlag()
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
