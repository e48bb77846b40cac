import { Conflict, type Draft } from '#libs/entities';
import { AttachmentsService, DraftsService } from '#libs/tickets';
import { Controller, Param, Post, Req, UseFilters } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptsMultipartForm, type PostedForm, postedForm } from '../../edge/multipart-form.js';
import { FormFields } from '../../ui/form-fields.js';
import { type FormState, type PageContent, type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { TicketNumberPipe } from '../../edge/ticket-number.pipe.js';
import { Me } from '../../sign-in/session.guard.js';
import { actingOf, submitForm } from '../../shell/form-submission.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { baseIn, draftIn, typedIn } from './composer-form.js';
import { DraftState } from './draft-state.js';
import { InboxPage } from '../inbox/inbox.page.js';
import { type InboxQuery, ticketPath } from '../../shell/inbox-query.js';
import { InboxReader } from '../inbox/inbox.reader.js';
import { KeptWritingFilter } from './kept-writing.filter.js';
import { ReturnTo } from '../inbox/ticket-on-page.decorator.js';

class NewerDraft extends Conflict {
  constructor() {
    super(
      'newer_draft',
      'There is a newer draft of yours, from another window or device. What you typed here is not saved; save it to replace the other.',
    );
  }
}

/** Keeps what is written below a conversation until it is sent. A script saves while somebody writes. */
@Controller('tickets/:number/draft')
@ConsolePages()
export class DraftsController {
  constructor(
    private readonly drafts: DraftsService,
    private readonly attachments: AttachmentsService,
    private readonly reader: InboxReader,
  ) {}

  @Post()
  @UseFilters(KeptWritingFilter)
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
      byScript(form()) ? { view: <p data-explanation>{error}</p> } : this.page(me, { number, back, form: form() });
    return submitForm({ again }, async () => {
      const draft = await this.keep(me, number, posted).catch((error: unknown) => {
        if (error instanceof NewerDraft && byScript(form())) return error;
        throw error;
      });
      if (draft instanceof NewerDraft) return this.choice(me, number, form());
      if (byScript(form())) return { view: <DraftState number={number} draft={draft} /> };
      return redirectWithNotice(ticketPath(number, back), draft ? 'Draft kept.' : 'Draft discarded.');
    });
  }

  private async keep(me: Me, number: number, posted: PostedForm): Promise<Draft | null> {
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

  /** Both texts are there, and the script of the page lets its writer choose. */
  private async choice(me: Me, number: number, form: FormFields): Promise<PageContent> {
    const draft = await this.drafts.read(actingOf(me), number);
    return { view: <DraftState number={number} draft={draft} overtaken={baseIn(form).revision} />, status: 409 };
  }

  private async page(
    me: Me,
    { number, back, form }: { number: number; back: InboxQuery; form: FormFields },
  ): Promise<PageContent> {
    const thread = { before: undefined, images: false, path: ticketPath(number, back) };
    return {
      view: <InboxPage view={await this.reader.ticket(me, back, number, thread)} />,
      form: { values: typedIn(form) },
    };
  }
}

const byScript = (form: FormFields): boolean => form.text('quiet') === 'yes';
