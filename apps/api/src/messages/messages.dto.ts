import { MAX_CC, type NewMessage, type UpdatedMessagesQuery } from '#libs/tickets';
import { IsOptional } from 'class-validator';
import { ApiDescription } from '../edge/api-operation.decorator.js';
import {
  BooleanFlag,
  Emails,
  IsEmailOrId,
  IsTime,
  MAX_BODY_CHARACTERS,
  Text,
  timeOf,
} from '../edge/field-decorators.js';
import { PageQueryDto } from '../edge/page-query.dto.js';

export class CreateMessageDto {
  @ApiDescription('Plain text or HTML.') @Text(MAX_BODY_CHARACTERS) body: string;
  @ApiDescription(
    'E-mail or id of a customer, or, for owners and admins, of any agent; the agent whose token this is, unless said.',
  )
  @IsOptional()
  @IsEmailOrId()
  author?: string | null;
  @ApiDescription('An internal note, which only agents write and see.', { default: false })
  @IsOptional()
  @BooleanFlag()
  note?: boolean | null;
  @ApiDescription(
    'Who gets it besides the customer, and a copy of what the console answers next. Unless said, nobody else gets it.',
  )
  @IsOptional()
  @Emails(MAX_CC)
  cc?: string[] | null;
  @ApiDescription('When it was written, where that was not now.') @IsOptional() @IsTime() sent_at?: string | null;

  toInput(): NewMessage {
    return {
      body: this.body,
      author: this.author ?? undefined,
      note: this.note ?? false,
      cc: this.cc ?? undefined,
      sentAt: timeOf(this.sent_at),
    };
  }
}

export class UpdatedMessagesQueryDto extends PageQueryDto {
  @ApiDescription('Updated then or later.') @IsOptional() @IsTime() updated_since?: string;

  override toQuery(): UpdatedMessagesQuery {
    return { ...super.toQuery(), updatedSince: timeOf(this.updated_since) };
  }
}
