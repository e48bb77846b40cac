import { type Attachment, NotFound, type Ticket } from '#libs/entities';
import {
  AttachmentsService,
  DraftsService,
  HeldRepliesService,
  MessageCame,
  MessagesService,
  type NewMessage,
  type NewTicket,
  type RequestContext,
  type Sending,
  TicketsService,
  type WrittenDraft,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { PostedForm } from '../../edge/multipart-form.js';
import { FormFields } from '../../ui/form-fields.js';

/** What the composer sent: a message, and the draft that it is if it cannot be sent. */
export interface PageMessage {
  readonly wanted: NewMessage;
  readonly sending: Sending;
  readonly asDraft: WrittenDraft;
}

type HeldReply = Awaited<ReturnType<HeldRepliesService['hold']>>;

/** The whole form, and the reply if it waits. */
export interface SentFromPage {
  readonly form: FormFields;
  readonly held: HeldReply | undefined;
}

/** Writes messages with their files. The files are stored before the message. */
@Injectable()
export class MessageWithAttachmentsService {
  constructor(
    private readonly messages: MessagesService,
    private readonly tickets: TicketsService,
    private readonly attachments: AttachmentsService,
    private readonly drafts: DraftsService,
    private readonly heldReplies: HeldRepliesService,
  ) {}

  /** If a message came or the ticket was deleted meanwhile, what was written becomes the draft of its author, with its files. */
  async postMessage(
    context: RequestContext,
    number: number,
    { read, posted }: { readonly read: (form: FormFields) => Promise<PageMessage>; readonly posted: PostedForm },
  ): Promise<SentFromPage> {
    const received = await this.attachments.receive(context, posted.uploads());
    // Fields may come after the files, so the form is whole only now.
    const form = new FormFields(posted.body());
    let written: PageMessage | undefined;
    try {
      written = await read(form);
      return { form, held: await this.send(context, number, { written, received }) };
    } catch (error) {
      const isHeldBack = error instanceof MessageCame || error instanceof NotFound;
      const isKept = isHeldBack && written && (await this.keep(context, number, { written, received }));
      if (!isKept) await this.attachments.discard(context, received);
      throw error;
    }
  }

  /** A reply waits, if the account wants that. A note goes to colleagues alone, and can be followed by another. */
  private async send(
    context: RequestContext,
    number: number,
    { written, received }: { readonly written: PageMessage; readonly received: readonly Attachment[] },
  ): Promise<HeldReply | undefined> {
    const { wanted, sending, asDraft } = written;
    const delayMs = wanted.note ? 0 : await this.heldReplies.delayMs(context);
    if (delayMs > 0) {
      const { body, afterSending } = asDraft;
      const { seen, draft, close = false } = sending;
      const { cc } = wanted;
      return this.heldReplies.hold(context, number, { body, cc, afterSending, close, seen, draft, received }, delayMs);
    }
    await this.messages.post(context, number, wanted, { ...sending, received });
    return undefined;
  }

  private async keep(
    context: RequestContext,
    number: number,
    { written, received }: { readonly written: PageMessage; readonly received: readonly Attachment[] },
  ): Promise<boolean> {
    return (await this.drafts.save(context, number, { ...written.asDraft, files: received })) !== null;
  }

  async createTicket(context: RequestContext, posted: PostedForm, read: () => Promise<NewTicket>): Promise<Ticket> {
    const received = await this.attachments.receive(context, posted.uploads());
    try {
      return await this.tickets.create(context, await read(), received);
    } catch (error) {
      await this.attachments.discard(context, received);
      throw error;
    }
  }
}
