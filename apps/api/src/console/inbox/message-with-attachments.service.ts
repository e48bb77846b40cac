import {
  type RequestContext,
  AttachmentsService,
  MessagesService,
  type NewMessage,
  type NewTicket,
  TicketsService,
} from '#libs/desk';
import type { Attachment, Message, Ticket } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { PostedForm } from '../../http/multipart-form.js';
import { FormFields } from '../../pages/form-fields.js';

/** Writes messages with their files. The files are stored before the message. */
@Injectable()
export class MessageWithAttachmentsService {
  constructor(
    private readonly messages: MessagesService,
    private readonly tickets: TicketsService,
    private readonly attachments: AttachmentsService,
  ) {}

  /** Returns the whole form, because fields may come after the files. */
  async postMessage(
    context: RequestContext,
    number: number,
    { wanted, posted }: { wanted: NewMessage; posted: PostedForm },
  ): Promise<FormFields> {
    const received = await this.attachments.receive(context, posted.uploads());
    await this.writeWithAttachments(context, received, () => this.messages.post(context, number, wanted));
    return new FormFields(posted.body());
  }

  async createTicket(context: RequestContext, posted: PostedForm, read: () => Promise<NewTicket>): Promise<Ticket> {
    const received = await this.attachments.receive(context, posted.uploads());
    let ticket: Ticket | undefined;
    await this.writeWithAttachments(context, received, async () => {
      ticket = await this.tickets.create(context, await read());
      return this.firstMessage(context, ticket);
    });
    return ticket!;
  }

  private async writeWithAttachments(
    context: RequestContext,
    received: readonly Attachment[],
    write: () => Promise<Message>,
  ): Promise<void> {
    const message = await write().catch(async (error: unknown) => {
      await this.attachments.discard(context, received);
      throw error;
    });
    if (received.length > 0) await this.attachments.addToMessage(context, message, received);
  }

  private async firstMessage(context: RequestContext, { number }: Ticket): Promise<Message> {
    const { items } = await this.messages.list(context, number, { page: 1, perPage: 1, cursor: undefined });
    return items[0]!;
  }
}
