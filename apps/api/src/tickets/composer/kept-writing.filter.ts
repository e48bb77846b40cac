import { LOGGER, type Logger } from '#libs/telemetry';
import { DraftsService } from '#libs/tickets';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ticketNumberOf } from '../../edge/ticket-number.pipe.js';
import { FormFields } from '../../ui/form-fields.js';
import { SignInRequired, renderPage } from '../../ui/page-response.js';
import { BrowserSessionsService } from '../../sign-in/browser-sessions.service.js';
import { pageOfForm } from '../../sign-in/page-of-form.js';
import { draftIn } from './composer-form.js';
import { WritingPermitsService } from './writing-permits.service.js';

type TicketRequest = FastifyRequest<{ Params: { number: string } }>;

/** Whoever was signed out while writing finds the text as a draft after signing in. Files have to be chosen again. */
@Catch(SignInRequired)
@Injectable()
export class KeptWritingFilter implements ExceptionFilter<SignInRequired> {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly drafts: DraftsService,
    private readonly permits: WritingPermitsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async catch(error: SignInRequired, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<TicketRequest>();
    const reply = http.getResponse<FastifyReply>();
    const outcome = (await this.keep(request)) ? 'kept' : 'lost';
    const redirect = this.browserSessions.redirectToSignIn(request, pageOfForm(request), outcome);
    void reply.send(renderPage(reply, error.redirect ? redirect : { redirect: '/sign-in' }));
  }

  private async keep(request: TicketRequest): Promise<boolean> {
    const form = new FormFields(request.body);
    const number = ticketNumberOf(request.params.number);
    const writer = this.permits.holder(form.text('permit'), number);
    if (!writer) return false;
    const context = { ...writer, role: 'agent' as const, requestId: request.id, applicationId: null };
    try {
      return (await this.drafts.save(context, number, draftIn(form))) !== null;
    } catch (error) {
      this.logger.error({ err: error, request_id: request.id }, 'draft of an ended session not kept');
      return false;
    }
  }
}
