import {
  type Acting,
  AttachmentsService,
  MessagesService,
  type NewMessage,
  type NewTicket,
  TicketsService,
} from '#libs/desk';
import type { Attachment, Message, Ticket } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { PostedForm } from '../../http/form-parts.js';
import { Form } from '../../pages/form.js';

interface Letter<T> {
  readonly wanted: T;
  readonly posted: PostedForm;
}

/** Writes what a form says, with the files that came with it: they are there before the first word is sent. */
@Injectable()
export class Enclosures {
  constructor(
    private readonly messages: MessagesService,
    private readonly tickets: TicketsService,
    private readonly attachments: AttachmentsService,
  ) {}

  /** Answers the form, whole now: fields may stand behind the files. */
  async post(acting: Acting, number: number, { wanted, posted }: Letter<NewMessage>): Promise<Form> {
    const received = await this.attachments.receive(acting, posted.uploads());
    await this.enclose(acting, received, () => this.messages.post(acting, number, wanted));
    return new Form(posted.body());
  }

  async start(acting: Acting, posted: PostedForm, read: () => Promise<NewTicket>): Promise<Ticket> {
    const received = await this.attachments.receive(acting, posted.uploads());
    let ticket: Ticket | undefined;
    await this.enclose(acting, received, async () => {
      ticket = await this.tickets.create(acting, await read());
      return this.firstOf(acting, ticket);
    });
    return ticket!;
  }

  private async enclose(acting: Acting, received: readonly Attachment[], write: () => Promise<Message>): Promise<void> {
    const message = await write().catch(async (error: unknown) => {
      await this.attachments.discard(acting, received);
      throw error;
    });
    if (received.length > 0) await this.attachments.give(acting, message, received);
  }

  private async firstOf(acting: Acting, { number }: Ticket): Promise<Message> {
    const { items } = await this.messages.list(acting, number, { page: 1, perPage: 1, cursor: undefined });
    return items[0]!;
  }
}
