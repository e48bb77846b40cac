import { MessageCame, type SeenThread } from '#libs/tickets';
import { Controller, Param, Post, Req, UseFilters } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptsMultipartForm, postedForm } from '../../edge/multipart-form.js';
import { TicketNumberPipe } from '../../edge/ticket-number.pipe.js';
import { PresencesService } from '../../live/presences.service.js';
import { messageIn, seenIn, typedIn } from './composer-form.js';
import { InboxPage } from '../inbox/inbox.page.js';
import { type InboxQuery, inboxPath, ticketPath } from '../../shell/inbox-query.js';
import { InboxReader } from '../inbox/inbox.reader.js';
import { KeptWritingFilter } from './kept-writing.filter.js';
import { noticeOfHeld } from '../../messages/index.js';
import { MessageWithAttachmentsService, type SentFromPage } from './message-with-attachments.service.js';
import type { OpenTicketQuery } from '../inbox/open-ticket.reader.js';
import { ReturnTo } from '../inbox/ticket-on-page.decorator.js';
import { redirectWithNotice, type PageContent, type PageResponse } from '../../ui/page-response.js';
import { FormFields } from '../../ui/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { actingOf, submitForm } from '../../shell/form-submission.js';

/** Sends what was written below a conversation, and goes on as the writer chose. */
@Controller('tickets/:number/messages')
@ConsolePages()
export class ComposerController {
  constructor(
    private readonly messagesWithAttachments: MessageWithAttachmentsService,
    private readonly presences: PresencesService,
    private readonly reader: InboxReader,
  ) {}

  @Post()
  @UseFilters(KeptWritingFilter)
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
    const again = () => this.page(me, { number, back, heldBack, typed: form() });
    return submitForm({ again }, async () => {
      const sent = await this.messagesWithAttachments
        .postMessage(actingOf(me), number, { read: messageIn, posted })
        .catch((error: unknown) => {
          if (error instanceof MessageCame) heldBack = seenIn(form());
          throw error;
        });
      return this.sent(me, { number, back, ...sent });
    });
  }

  private async sent(
    me: Me,
    { number, back, form, held }: SentFromPage & { readonly number: number; readonly back: InboxQuery },
  ): Promise<PageResponse> {
    await this.presences.stopReplying({ ...me, ticket: number });
    const next = nextPath(form, number, back);
    if (held) return { redirect: next, notice: noticeOfHeld({ number, query: back }, held) };
    return redirectWithNotice(next, `${form.text('kind') === 'note' ? 'Note' : 'Reply'} added to #${number}.`);
  }

  /** The page as it is now, with what was typed. */
  private async page(
    me: Me,
    {
      number,
      back,
      heldBack,
      typed,
    }: { number: number; back: InboxQuery; typed: FormFields } & Pick<OpenTicketQuery, 'heldBack'>,
  ): Promise<PageContent> {
    const thread = { before: undefined, images: false, heldBack, path: ticketPath(number, back) };
    return {
      view: <InboxPage view={await this.reader.ticket(me, back, number, thread)} />,
      form: { values: typedIn(typed), ...(heldBack && { error: null }) },
    };
  }
}

function nextPath(form: FormFields, number: number, back: InboxQuery): string {
  const next = Number(form.text('next'));
  const after = form.text('after');
  if (after === 'back' || (after === 'next' && !(next > 0))) return inboxPath(back);
  return ticketPath(after === 'next' ? next : number, back);
}
