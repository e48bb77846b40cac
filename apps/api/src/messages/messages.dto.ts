import { MAX_CC, type NewMessage, type UpdatedMessagesQuery } from '#libs/tickets';
import { ApiDescription } from '../layers/edge/api-operation.decorator.js';
import {
  BooleanFlag,
  Emails,
  IsEmailOrId,
  IsTime,
  MAX_BODY_CHARACTERS,
  Optional,
  Text,
  timeOf,
} from '../layers/edge/field-decorators.js';
import { ImportFlag, ImportedTime } from '../layers/oauth/imports.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';

export class CreateMessageDto {
  @ApiDescription('Plain text or HTML.') @Text(MAX_BODY_CHARACTERS) body: string;
  @Optional(
    'Email or id of a customer or, for owners and admins, of any agent. Default: the owner of the token.',
    IsEmailOrId(),
  )
  author?: string | null;
  @Optional(
    { words: 'Whether the message is an internal note, which only agents can write and see.', default: false },
    BooleanFlag(),
  )
  note?: boolean | null;
  @Optional(
    'Emails that get a copy of the message, and of the next reply from the console. Default: none.',
    Emails(MAX_CC),
  )
  cc?: string[] | null;
  @Optional(
    {
      words:
        'Whether the message was written by a program. Its email is then marked `Auto-Submitted`, so that other programs do not reply.',
      default: false,
    },
    BooleanFlag(),
  )
  automatic?: boolean | null;
  @Optional('When the message was written. Default: now.', IsTime()) sent_at?: string | null;
  @ImportFlag() import?: boolean | null;
  @ImportedTime('When the message was written.') created_at?: string | null;

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
  @Optional('Lists only messages updated at this time or later.', IsTime()) updated_since?: string;

  override toQuery(): UpdatedMessagesQuery {
    return { ...super.toQuery(), updatedSince: timeOf(this.updated_since) };
  }
}
