import type { NewMessage } from '#libs/desk';
import { IsOptional } from 'class-validator';
import { Flag, MOST_BODY_CHARACTERS, Text, Time, Who, timeOf } from '../../http/fields.js';

export class CreateMessageDto {
  @Text(MOST_BODY_CHARACTERS) body: string;
  /** E-mail or id of an agent or a customer; the agent whose token this is, unless said. */
  @IsOptional() @Who() author?: string | null;
  /** An internal note, which only agents write and see. */
  @IsOptional() @Flag() note?: boolean | null;
  /** When it was written, where that was not now. */
  @IsOptional() @Time() sent_at?: string | null;

  wanted(): NewMessage {
    return {
      body: this.body,
      author: this.author ?? undefined,
      note: this.note ?? false,
      sentAt: timeOf(this.sent_at),
    };
  }
}
