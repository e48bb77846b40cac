import { type RequestContext, TicketsService, TriageService } from '#libs/desk';
import { DomainError } from '#libs/entities';
import { Body, Controller, Post } from '@nestjs/common';
import { FormFields } from '../../pages/form-fields.js';
import { type PageResponse, redirectWithNotice } from '../../pages/page-response.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf } from '../form-submission.js';
import { type FormerTicket, parseFormer } from './former-tickets.js';
import { type InboxQuery, inboxPath, ticketPath } from './inbox-query.js';
import { KeptUndos } from './kept-undos.js';
import { ReturnTo } from './ticket-on-page.decorator.js';

/** Brings back what tickets were before the last action. It changes them as their own buttons would. */
@Controller('tickets/undo')
@ConsolePages()
export class ConsoleUndoController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
    private readonly kept: KeptUndos,
  ) {}

  @Post()
  async undo(@Me() me: Me, @ReturnTo() back: InboxQuery, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const kept = form.text('kept');
    const former = kept === '' ? parseFormer(form.text('was')) : await this.kept.read(actingOf(me), kept);
    const refusals: string[] = [];
    for (const ticket of former)
      await this.bringBack(actingOf(me), ticket).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
        refusals.push(`#${ticket.number}: ${error.message}`);
      });
    const [only, ...others] = former;
    const path = only && others.length === 0 ? ticketPath(only.number, back) : inboxPath(back);
    return refusals.length > 0
      ? redirectWithNotice(path, `Not undone: ${refusals.slice(0, 3).join(' ')}`, 'bad')
      : redirectWithNotice(path, 'Undone.');
  }

  private async bringBack(context: RequestContext, { number, values, deleted }: FormerTicket): Promise<void> {
    if (deleted) await this.tickets.restore(context, number);
    if (Object.keys(values).length > 0) await this.triage.change(context, number, values);
  }
}
