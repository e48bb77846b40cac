import type { NewMessage } from '#libs/desk';
import { IsOptional } from 'class-validator';
import { About } from '../../../http/about.js';
import { Flag, MOST_BODY_CHARACTERS, Text, Time, Who, timeOf } from '../../../http/fields.js';

export class CreateMessageDto {
  @Text(MOST_BODY_CHARACTERS) body: string;
  @About('E-mail or id of an agent or a customer; the agent whose token this is, unless said.')
  @IsOptional()
  @Who()
  author?: string | null;
  @About('An internal note, which only agents write and see.')
  @IsOptional()
  @Flag()
  note?: boolean | null;
  @About('When it was written, where that was not now.')
  @IsOptional()
  @Time()
  sent_at?: string | null;

  wanted(): NewMessage {
    return {
      body: this.body,
      author: this.author ?? undefined,
      note: this.note ?? false,
      sentAt: timeOf(this.sent_at),
    };
  }
}
