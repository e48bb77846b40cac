import { MessageCame } from '#libs/desk';
import { Clock } from '#libs/database';
import { Controller, Param, Post, Req, UseFilters } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptsMultipartForm, postedForm } from '../../http/multipart-form.js';
import { TicketNumberPipe } from '../../rest/tickets/ticket-number.pipe.js';
import { Presences } from '../live/presences.js';
import { messageIn, typedIn } from './composer-form.js';
import { InboxPage } from './inbox.page.js';
import { type InboxQuery, inboxPath, ticketPath } from './inbox-query.js';
import { InboxReader } from './inbox.reader.js';
import { KeptWritingFilter } from './kept-writing.filter.js';
import { describeLatest, describeWaiting } from './latest-message.js';
import { noticeOfHeld } from './held-replies.js';
import { MessageWithAttachmentsService, type SentFromPage } from './message-with-attachments.service.js';
import { ReturnTo } from './ticket-on-page.decorator.js';
import { redirectWithNotice, type PageContent, type PageResponse } from '../../pages/page-response.js';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, submitForm } from '../form-submission.js';

/** Sends what was written below a conversation, and goes on as the writer chose. */
@Controller('tickets/:number/messages')
@ConsolePages()
export class ConsoleComposerController {
  constructor(
    private readonly messagesWithAttachments: MessageWithAttachmentsService,
    private readonly presences: Presences,
    private readonly reader: InboxReader,
    private readonly clock: Clock,
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
    let overtaken = false;
    const again = () => this.page(me, { number, back, overtaken, typed: new FormFields(posted.body()) });
    return submitForm({ again }, async () => {
      const sent = await this.messagesWithAttachments
        .postMessage(actingOf(me), number, { read: messageIn, posted })
        .catch((error: unknown) => {
          overtaken = error instanceof MessageCame;
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
    if (held) return { redirect: next, notice: noticeOfHeld({ number, query: back }, held, this.clock.now()) };
    return redirectWithNotice(next, form.text('kind') === 'note' ? 'Note added.' : 'Reply added.');
  }

  /** The page as it is now, with what was typed. */
  private async page(
    me: Me,
    { number, back, overtaken, typed }: { number: number; back: InboxQuery; overtaken: boolean; typed: FormFields },
  ): Promise<PageContent> {
    const thread = { before: undefined, images: false, path: ticketPath(number, back) };
    const view = await this.reader.ticket(me, back, number, thread);
    const waiting = overtaken && view.open?.held.find(({ agentId }) => agentId !== me.agentId);
    const latest = overtaken && view.open?.thread.messages.at(-1);
    const error = waiting ? describeWaiting(waiting) : latest && describeLatest(latest, me, this.clock.now());
    return {
      view: <InboxPage view={view} />,
      form: { values: typedIn(typed), ...(error && { error }) },
    };
  }
}

function nextPath(form: FormFields, number: number, back: InboxQuery): string {
  const next = Number(form.text('next'));
  const after = form.text('after');
  if (after === 'back' || (after === 'next' && !(next > 0))) return inboxPath(back);
  return ticketPath(after === 'next' ? next : number, back);
}
