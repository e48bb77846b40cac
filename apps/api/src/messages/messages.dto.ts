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
    'E-mail or id of a customer or, for owners and admins, of any agent. Default: the owner of the token.',
  )
  @IsOptional()
  @IsEmailOrId()
  author?: string | null;
  @ApiDescription('Whether the message is an internal note, which only agents write and see.', { default: false })
  @IsOptional()
  @BooleanFlag()
  note?: boolean | null;
  @ApiDescription('E-mails that get a copy of the message, and of the next reply from the console. Default: none.')
  @IsOptional()
  @Emails(MAX_CC)
  cc?: string[] | null;
  @ApiDescription('Whether a program wrote it. Its mail then asks other programs not to reply (`Auto-Submitted`).', {
    default: false,
  })
  @IsOptional()
  @BooleanFlag()
  automatic?: boolean | null;
  @ApiDescription('When the message was written. Default: now.') @IsOptional() @IsTime() sent_at?: string | null;

  toInput(): NewMessage {
    return {
      body: this.body,
      author: this.author ?? undefined,
      note: this.note ?? false,
      cc: this.cc ?? undefined,
      automatic: this.automatic ?? false,
      sentAt: timeOf(this.sent_at),
    };
  }
}

export class UpdatedMessagesQueryDto extends PageQueryDto {
  @ApiDescription('Lists only messages updated at this time or later.') @IsOptional() @IsTime() updated_since?: string;

  override toQuery(): UpdatedMessagesQuery {
    return { ...super.toQuery(), updatedSince: timeOf(this.updated_since) };
  }
}
