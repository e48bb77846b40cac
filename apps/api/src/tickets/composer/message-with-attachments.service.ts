import { type Attachment, type HeldReply, NotFound, type Ticket } from '#libs/entities';
import {
  AttachmentsService,
  DraftsService,
  MessagesService,
  NewerDraft,
  type NewTicket,
  type RequestContext,
  ScheduledRepliesService,
  TicketsService,
  UnseenMessages,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { PostedForm } from '../../edge/multipart-form.js';
import { FormFields } from '../../ui/form-fields.js';
import { type PageMessage, messageIn } from './composer-form.js';

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
  postMessage(context: RequestContext, number: number, posted: PostedForm): Promise<SentFromPage> {
    return this.attachments.receive(context, posted.uploads(), async (received) => {
      // Fields may follow the files, so the form is only complete now.
      const form = new FormFields(posted.body());
      const written = await messageIn(form);
      try {
        return { form, held: await this.send(context, number, { written, received }) };
      } catch (error) {
        if (error instanceof UnseenMessages || error instanceof NotFound)
          await this.drafts.save(context, number, { ...written.asDraft, files: received }).catch(keepNewer);
        throw error;
      }
    });
  }

  /** Schedules a reply if the account delays replies. */
  private async send(
    context: RequestContext,
    number: number,
    { written, received }: { readonly written: PageMessage; readonly received: readonly Attachment[] },
  ): Promise<HeldReply | undefined> {
    const { wanted, asDraft } = written;
    const sending = { ...written.sending, received };
    const delayMs = wanted.note ? 0 : await this.heldReplies.delayMs(context);
    if (delayMs > 0) {
      const { body, cc } = wanted;
      const reply = { body, cc, ...sending, afterSending: asDraft.afterSending };
      return this.heldReplies.hold(context, number, reply, delayMs);
    }
    await this.messages.post(context, number, wanted, sending);
    return undefined;
  }

  createTicket(context: RequestContext, posted: PostedForm, read: () => Promise<NewTicket>): Promise<Ticket> {
    return this.attachments.receive(context, posted.uploads(), async (received) =>
      this.tickets.create(context, await read(), received),
    );
  }
}

function keepNewer(error: unknown): void {
  if (!(error instanceof NewerDraft)) throw error;
}
