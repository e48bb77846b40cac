import { MergedTicket } from '#libs/entities';
import { LOGGER, type Logger } from '#libs/telemetry';
import { DraftsService, NewerDraft } from '#libs/tickets';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ticketNumberOf } from '../../layers/edge/path-parameter.pipes.js';
import { BrowserSessionsService } from '../../layers/sign-in/browser-sessions.service.js';
import { pageOfForm } from '../../layers/sign-in/sign-in-paths.js';
import { FormFields } from '../../layers/ui/form-fields.js';
import { SignInRequired, renderPage } from '../../layers/ui/page-response.js';
import { draftIn } from './composer-form.js';
import { WritingPermitsService } from './writing-permits.service.js';

type TicketRequest = FastifyRequest<{ Params: { number: string } }>;

/** Saves the text of an agent who was signed out while writing as a draft. Files have to be chosen again. */
@Catch(SignInRequired)
@Injectable()
export class SaveDraftOnSignOutFilter implements ExceptionFilter<SignInRequired> {
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
    const outcome = (await this.saveDraft(request)) ? 'kept' : 'lost';
    const redirect = this.browserSessions.redirectToSignIn(request, pageOfForm(request), outcome);
    void reply.send(renderPage(reply, error.redirect ? redirect : { redirect: '/sign-in' }));
  }

  private async saveDraft(request: TicketRequest): Promise<boolean> {
    const form = new FormFields(request.body);
    const number = ticketNumberOf(request.params.number);
    const writer = this.permits.holder(form.text('permit'), number);
    if (!writer) return false;
    const context = { ...writer, role: 'agent' as const, requestId: request.id, applicationId: null };
    try {
      await this.drafts.save(context, number, draftIn(form));
      return true;
    } catch (error) {
      if (error instanceof MergedTicket) return true;
      if (!(error instanceof NewerDraft))
        this.logger.error({ err: error, request_id: request.id }, 'the draft of an ended session could not be saved');
      return false;
    }
  }
}
