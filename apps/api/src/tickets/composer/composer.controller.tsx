import { Conflict, type Draft } from '#libs/entities';
import { AttachmentsService, DraftsService, UnseenMessages, type SeenThread } from '#libs/tickets';
import { Controller, Param, Post, Req, UseFilters } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptsMultipartForm, type PostedForm, postedForm } from '../../edge/multipart-form.js';
import { TicketNumberPipe } from '../../edge/path-parameter.pipes.js';
import { PresencesService } from '../../live/presences.service.js';
import { noticeOfHeld } from '../../messages/index.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { actingOf, submitForm } from '../../shell/form-submission.js';
import { type InboxQuery, inboxPath, ticketPath } from '../../shell/inbox-query.js';
import { Me } from '../../sign-in/session.guard.js';
import { FormFields } from '../../ui/form-fields.js';
import { type FormState, type PageContent, type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { InboxPage } from '../inbox/inbox.page.js';
import { InboxReader } from '../inbox/inbox.reader.js';
import { ReturnTo } from '../inbox/ticket-on-page.decorator.js';
import { baseIn, draftIn, messageIn, seenIn, typedIn } from './composer-form.js';
import { DraftState } from './draft-state.js';
import { MessageWithAttachmentsService, type SentFromPage } from './message-with-attachments.service.js';
import { SaveDraftOnSignOutFilter } from './save-draft-on-sign-out.filter.js';

class NewerDraft extends Conflict {
  constructor() {
    super(
      'newer_draft',
      'Your text was not saved: another window or device has a newer draft. Save again to replace that draft.',
    );
  }
}

interface ComposerPlace {
  readonly number: number;
  readonly back: InboxQuery;
}

/** A script saves drafts while the agent types. */
@Controller('tickets/:number')
@ConsolePages()
export class ComposerController {
  constructor(
    private readonly messagesWithAttachments: MessageWithAttachmentsService,
    private readonly drafts: DraftsService,
    private readonly attachments: AttachmentsService,
    private readonly presences: PresencesService,
    private readonly reader: InboxReader,
  ) {}

  @Post('messages')
  @UseFilters(SaveDraftOnSignOutFilter)
  @AcceptsMultipartForm()
  post(
    @Me() me: Me,
    @Param('number', TicketNumberPipe) number: number,
    @ReturnTo() back: InboxQuery,
    @Req() request: FastifyRequest,
  ): Promise<PageResponse> {
    const posted = postedForm(request);
    const form = () => new FormFields(posted.body());
    let heldBack: SeenThread | undefined;
    const again = () => this.page(me, { number, back }, { typed: form(), heldBack });
    return submitForm({ again }, async () => {
      const sent = await this.messagesWithAttachments
        .postMessage(actingOf(me), number, { read: messageIn, posted })
        .catch((error: unknown) => {
          if (error instanceof UnseenMessages) heldBack = seenIn(form());
          throw error;
        });
      return this.sent(me, { number, back }, sent);
    });
  }

  private async sent(me: Me, { number, back }: ComposerPlace, { form, held }: SentFromPage): Promise<PageResponse> {
    await this.presences.stopReplying({ ...me, ticket: number });
    const next = nextPath(form, number, back);
    if (held) return { redirect: next, notice: noticeOfHeld({ number, query: back }, held) };
    return redirectWithNotice(next, `${form.text('kind') === 'note' ? 'Note' : 'Reply'} added to #${number}.`);
  }

  @Post('draft')
  @UseFilters(SaveDraftOnSignOutFilter)
  @AcceptsMultipartForm()
  save(
    @Me() me: Me,
    @Param('number', TicketNumberPipe) number: number,
    @ReturnTo() back: InboxQuery,
    @Req() request: FastifyRequest,
  ): Promise<PageResponse> {
    const posted = postedForm(request);
    const form = () => new FormFields(posted.body());
    const again = ({ error }: FormState): Promise<PageContent> | PageContent =>
      isByScript(form())
        ? { view: <p data-explanation>{error}</p> }
        : this.page(me, { number, back }, { typed: form() });
    return submitForm({ again }, async () => {
      const draft = await this.saveDraft(me, number, posted).catch((error: unknown) => {
        if (error instanceof NewerDraft && isByScript(form())) return error;
        throw error;
      });
      if (draft instanceof NewerDraft) return this.choice(me, number, form());
      if (isByScript(form())) return { view: <DraftState number={number} draft={draft} /> };
      return redirectWithNotice(ticketPath(number, back), draft ? 'Draft saved.' : 'Draft discarded.');
    });
  }

  private async saveDraft(me: Me, number: number, posted: PostedForm): Promise<Draft | null> {
    const context = actingOf(me);
    const files = await this.attachments.receive(context, posted.uploads());
    const form = new FormFields(posted.body());
    const written = draftIn(form);
    try {
      const draft = await this.drafts.save(context, number, { ...written, files });
      if (!draft) throw new NewerDraft();
    } catch (error) {
      await this.attachments.discard(context, files);
      throw error;
    }
    await this.drafts.removeFile(context, form.text('remove_file'));
    return this.drafts.discardIfEmpty(context, number);
  }

  /** A script lets the agent choose between the two drafts. */
  private async choice(me: Me, number: number, form: FormFields): Promise<PageContent> {
    const draft = await this.drafts.read(actingOf(me), number);
    return { view: <DraftState number={number} draft={draft} overtaken={baseIn(form).revision} />, status: 409 };
  }

  private async page(
    me: Me,
    { number, back }: ComposerPlace,
    { typed, heldBack }: { typed: FormFields; heldBack?: SeenThread | undefined },
  ): Promise<PageContent> {
    const thread = { before: undefined, images: false, heldBack, path: ticketPath(number, back) };
    return {
      view: <InboxPage view={await this.reader.ticket(me, back, number, thread)} />,
      form: { values: typedIn(typed), ...(heldBack && { error: null }) },
    };
  }
}

const isByScript = (form: FormFields): boolean => form.text('quiet') === 'yes';

function nextPath(form: FormFields, number: number, back: InboxQuery): string {
  const next = Number(form.text('next'));
  const after = form.text('after');
  if (after === 'back' || (after === 'next' && !(next > 0))) return inboxPath(back);
  return ticketPath(after === 'next' ? next : number, back);
}
