import { type Attachment, NotFound, type Ticket } from '#libs/entities';
import {
  AttachmentsService,
  DraftsService,
  ScheduledRepliesService,
  UnseenMessages,
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

export interface PageMessage {
  readonly wanted: NewMessage;
  readonly sending: Sending;
  readonly asDraft: WrittenDraft;
}

type HeldReply = Awaited<ReturnType<ScheduledRepliesService['hold']>>;

export interface SentFromPage {
  readonly form: FormFields;
  readonly held: HeldReply | undefined;
}

@Injectable()
export class MessageWithAttachmentsService {
  constructor(
    private readonly messages: MessagesService,
    private readonly tickets: TicketsService,
    private readonly attachments: AttachmentsService,
    private readonly drafts: DraftsService,
    private readonly heldReplies: ScheduledRepliesService,
  ) {}

  /** Saves the message and its files as a draft if a new message arrived or the ticket was deleted. */
  async postMessage(
    context: RequestContext,
    number: number,
    { read, posted }: { readonly read: (form: FormFields) => Promise<PageMessage>; readonly posted: PostedForm },
  ): Promise<SentFromPage> {
    const received = await this.attachments.receive(context, posted.uploads());
    // Fields may follow the files, so the form is only complete now.
    const form = new FormFields(posted.body());
    let written: PageMessage | undefined;
    try {
      written = await read(form);
      return { form, held: await this.send(context, number, { written, received }) };
    } catch (error) {
      const isHeldBack = error instanceof UnseenMessages || error instanceof NotFound;
      const isKept = isHeldBack && written && (await this.saveDraft(context, number, { written, received }));
      if (!isKept) await this.attachments.discard(context, received);
      throw error;
    }
  }

  /** Schedules a reply if the account delays replies. */
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

  private async saveDraft(
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
