import { type CustomerFields, type NewTicket } from '#libs/desk';
import { TICKET_PRIORITIES, TICKET_STATES, type TicketPriority, type TicketState } from '#libs/entities';
import { Transform, plainToInstance } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEmail,
  IsIn,
  IsInstance,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';

export class PartyDto {
  @IsEmail() @MaxLength(254) email: string;
  @IsOptional() @IsString() @MaxLength(200) first_name?: string;
  @IsOptional() @IsString() @MaxLength(200) last_name?: string;

  fields(): CustomerFields {
    return { email: this.email.toLowerCase(), firstName: this.first_name, lastName: this.last_name };
  }
}

/** An e-mail address alone stands for a party of which nothing else is said. */
const party = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))
    ? plainToInstance(PartyDto, typeof value === 'string' ? { email: value } : value)
    : value;

export class CreateTicketDto {
  @IsString() @IsNotEmpty() @MaxLength(500_000) body: string;
  @Transform(party)
  @ValidateNested()
  @IsInstance(PartyDto, { message: '$property must be an e-mail address or a customer' })
  from: PartyDto;
  @Transform(party)
  @ValidateNested()
  @IsInstance(PartyDto, { message: '$property must be an e-mail address or a customer' })
  to: PartyDto;
  @IsOptional() @IsString() @MaxLength(500) subject?: string;
  @IsOptional() @IsIn(TICKET_STATES) state?: TicketState;
  @IsOptional() @IsIn(TICKET_PRIORITIES) priority?: TicketPriority;
  @IsOptional() @IsArray() @ArrayMaxSize(50) @IsString({ each: true }) @MaxLength(100, { each: true }) tags?: string[];

  wanted(): NewTicket {
    return {
      body: this.body,
      from: this.from.fields(),
      to: this.to.fields(),
      title: this.subject ?? null,
      state: this.state ?? 'unread',
      priority: this.priority ?? null,
      tags: [...new Set(this.tags ?? [])],
    };
  }
}
