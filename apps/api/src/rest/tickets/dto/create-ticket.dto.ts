import { type CustomerFields, type NewTicket } from '#libs/desk';
import { TICKET_PRIORITIES, TICKET_STATES, type TicketPriority, type TicketState } from '#libs/entities';
import { Transform, plainToInstance } from 'class-transformer';
import { IsIn, IsInstance, IsOptional, ValidateNested } from 'class-validator';
import { About } from '../../../http/about.js';
import { CustomerDto } from '../../customers/dto/customer.dto.js';
import { Flag, FreeText, MOST_BODY_CHARACTERS, Tags, Text, Time, Who, timeOf } from '../../../http/fields.js';

export class PartyDto extends CustomerDto {
  fields(): CustomerFields {
    return this.wanted();
  }
}

/** An e-mail address alone stands for a party of which nothing else is said. */
const party = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))
    ? plainToInstance(PartyDto, typeof value === 'string' ? { email: value } : value)
    : value;

export class CreateTicketDto {
  @Text(MOST_BODY_CHARACTERS) body: string;
  @About('An agent’s e-mail means that the agent starts the ticket and `to` is the customer.')
  @Transform(party)
  @ValidateNested()
  @IsInstance(PartyDto, { message: '$property must be an e-mail address or a customer' })
  from: PartyDto;
  @About('When a customer starts the ticket, the e-mail of a mailbox.')
  @Transform(party)
  @ValidateNested()
  @IsInstance(PartyDto, { message: '$property must be an e-mail address or a customer' })
  to: PartyDto;
  @IsOptional() @FreeText(500) subject?: string | null;
  @About('Name, e-mail or id of a mailbox; the one `to` names, or else the account’s oldest, unless said.')
  @IsOptional()
  @Text(320)
  mailbox?: string | null;
  @About('E-mail or id of an agent.')
  @IsOptional()
  @Who()
  assignee?: string | null;
  @About('Name or id of a group.')
  @IsOptional()
  @Text(100)
  assigned_group?: string | null;
  @About('`unread` unless said otherwise.')
  @IsOptional()
  @IsIn(TICKET_STATES)
  state?: TicketState | null;
  @IsOptional() @IsIn(TICKET_PRIORITIES) priority?: TicketPriority | null;
  @IsOptional() @Tags() tags?: string[] | null;
  @About('The first message is an internal note; only an agent writes those.')
  @IsOptional()
  @Flag()
  note?: boolean | null;
  @About('When the first message was written, where that was not now.')
  @IsOptional()
  @Time()
  sent_at?: string | null;
  @About('Where an agent starts the ticket: the message goes to the customer by mail as well, if mail is set up.')
  @IsOptional()
  @Flag()
  send_copy_to_customer?: boolean | null;

  wanted(): NewTicket {
    return {
      body: this.body,
      from: this.from.fields(),
      to: this.to.fields(),
      title: this.subject || null,
      state: this.state ?? 'unread',
      priority: this.priority ?? null,
      tags: this.tags ?? [],
      mailbox: this.mailbox ?? undefined,
      assignee: this.assignee,
      assignedGroup: this.assigned_group,
      note: this.note ?? false,
      sentAt: timeOf(this.sent_at),
      copyToCustomer: this.send_copy_to_customer ?? false,
    };
  }
}
