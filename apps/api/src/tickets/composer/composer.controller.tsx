import { type Draft, MergedTicket } from '#libs/entities';
import { AttachmentsService, DraftsService, NewerDraft, type SeenThread, UnseenMessages } from '#libs/tickets';
import { Post, Req, UseFilters } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptsMultipartForm, type PostedForm, postedForm } from '../../layers/edge/multipart-form.js';
import { PresencesService } from '../../layers/live/presences.service.js';
import { noticeOfHeld } from '../../messages/index.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { submitForm } from '../../layers/shell/form-submission.js';
import { type InboxQuery, inboxPath, nextPath, ticketPath } from '../inbox-query.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import { FormFields } from '../../layers/ui/form-fields.js';
import {
  type FormState,
  type PageContent,
  type PageResponse,
  redirectWithNotice,
} from '../../layers/ui/page-response.js';
import { InboxPage } from '../inbox/inbox.page.js';
import { InboxReader } from '../inbox/inbox.reader.js';
import type { OpenTicketQuery } from '../inbox/open-ticket.reader.js';
import { TicketOnPage } from '../inbox/ticket-on-page.decorator.js';
import { draftIn, seenIn, typedIn, MessageWithAttachmentsService } from './composer-form.js';
import { DraftState } from './draft-state.js';
import { SaveDraftOnSignOutFilter } from './save-draft-on-sign-out.filter.js';

/** A script saves drafts while the agent types. */
@ConsolePages('tickets/:number')
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
  post(@Me() me: Me, @TicketOnPage() ticket: TicketOnPage, @Req() request: FastifyRequest): Promise<PageResponse> {
    const posted = postedForm(request);
    const form = () => new FormFields(posted.body());
    let heldBack: SeenThread | undefined;
    return submitForm({ again: () => this.page(me, ticket, form(), { heldBack }) }, async () => {
      const { number, back } = ticket;
      const held = await this.messagesWithAttachments.postMessage(me, number, posted).catch((error: unknown) => {
        if (error instanceof UnseenMessages) heldBack = seenIn(form());
        throw error;
      });
      await this.presences.stopReplying({ ...me, ticket: number });
      const next = pathAfter(form(), number, back);
      if (held) return { redirect: next, notice: noticeOfHeld(ticket, held, me.timeZone) };
      return redirectWithNotice(next, `${isNote(form()) ? 'Note' : 'Reply'} added to #${number}.`);
    });
  }

  /** A script takes only the preview from the page. */
  @Post('preview')
  @AcceptsMultipartForm()
  preview(@Me() me: Me, @TicketOnPage() ticket: TicketOnPage, @Req() request: FastifyRequest): Promise<PageContent> {
    const form = new FormFields(postedForm(request).body());
    return this.page(me, ticket, form, { previewOf: draftIn(form).body });
  }

  @Post('draft')
  @UseFilters(SaveDraftOnSignOutFilter)
  @AcceptsMultipartForm()
  save(@Me() me: Me, @TicketOnPage() ticket: TicketOnPage, @Req() request: FastifyRequest): Promise<PageResponse> {
    const { number, back } = ticket;
    const posted = postedForm(request);
    const form = () => new FormFields(posted.body());
    const again = ({ error }: FormState): Promise<PageContent> | PageContent =>
      isByScript(form()) ? { view: <p data-explanation>{error}</p> } : this.page(me, ticket, form());
    return submitForm({ again }, async () => {
      try {
        const draft = await this.saveDraft(ticket, posted);
        if (isByScript(form())) return { view: <DraftState number={number} draft={draft} /> };
        if (form().text('then') === 'saved-replies') return { redirect: `/tickets/${number}/saved-replies` };
        return redirectWithNotice(ticketPath(number, back), draft ? 'Draft saved.' : 'Draft discarded.');
      } catch (error) {
        if (error instanceof NewerDraft && isByScript(form())) return this.choice(ticket, form());
        if (error instanceof MergedTicket && isByScript(form()))
          return this.choice({ ...ticket, number: error.into }, form());
        throw error;
      }
    });
  }

  private saveDraft({ context, number }: TicketOnPage, posted: PostedForm): Promise<Draft | null> {
    return this.attachments.receive(context, posted.uploads(), (files) => {
      const form = new FormFields(posted.body());
      return this.drafts.save(context, number, { ...draftIn(form), files, removedFile: form.text('remove_file') });
    });
  }

  private async choice({ context, number }: TicketOnPage, form: FormFields): Promise<PageContent> {
    const draft = await this.drafts.read(context, number);
    const { body, revision } = draftIn(form);
    // The draft of a merged ticket may have moved as it was.
    if (draft?.body === body) return { view: <DraftState number={number} draft={draft} /> };
    return { view: <DraftState number={number} draft={draft} overtaken={revision} />, status: 409 };
  }

  private async page(me: Me, { number, back }: TicketOnPage, typed: FormFields, shown: Partial<OpenTicketQuery> = {}) {
    const values = typedIn(typed);
    const path = ticketPath(number, back);
    const thread = { before: undefined, images: false, path, savedReply: values['saved_reply'], ...shown };
    return {
      view: <InboxPage view={await this.reader.ticket(me, back, number, thread)} />,
      form: { values, ...(shown.heldBack && { error: null }) },
    };
  }
}

const isNote = (form: FormFields): boolean => form.text('kind') === 'note';

const isByScript = (form: FormFields): boolean => form.text('quiet') === 'yes';

function pathAfter(form: FormFields, number: number, back: InboxQuery): string {
  const after = form.text('after');
  if (after === 'back') return inboxPath(back);
  if (after === 'next') return nextPath(Number(form.text('next')), back);
  return `${ticketPath(number, back)}${isNote(form) ? '&kind=note' : ''}`;
}
