import { DomainError, NotFound } from '#libs/entities';
import { type RequestContext, TriageService, type UndoablePart } from '#libs/tickets';
import { Body, Controller, Post } from '@nestjs/common';
import { ticketNumberOf } from '../../edge/path-parameter.pipes.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { actingOf } from '../../shell/form-submission.js';
import { type InboxQuery, inboxPath, ticketPath } from '../../shell/inbox-query.js';
import { Me } from '../../sign-in/session.guard.js';
import { FormFields } from '../../ui/form-fields.js';
import { type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { ReturnTo } from './ticket-on-page.decorator.js';
import { type FormerTicket, UndoService } from './undo.service.js';

/** Restores tickets, except parts that have changed since. */
@Controller('tickets/undo')
@ConsolePages()
export class UndoController {
  constructor(
    private readonly triage: TriageService,
    private readonly undos: UndoService,
  ) {}

  @Post()
  async undo(@Me() me: Me, @ReturnTo() back: InboxQuery, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const former = await this.undos.read(actingOf(me), form.text('kept'));
    const leftAlone: string[] = [];
    let undone = 0;
    for (const ticket of former) {
      const reason = await this.restore(actingOf(me), ticket);
      if (reason === undefined) undone += 1;
      else leftAlone.push(`#${ticket.number} (${reason})`);
    }
    // Undo on the toast of a ticket returns to the ticket.
    const open = ticketNumberOf(form.text('ticket'));
    const path = open > 0 ? ticketPath(open, back) : inboxPath(back);
    if (leftAlone.length === 0) return redirectWithNotice(path, `${changesOf(former)} undone.`);
    return redirectWithNotice(path, `${undone > 0 ? 'Undone' : 'Not undone'}. ${wordsFor(leftAlone)}`, 'bad');
  }

  /** Returns why the ticket, or a part of it, was left alone. */
  private async restore(context: RequestContext, former: FormerTicket): Promise<string | undefined> {
    try {
      if (former.deleted) await this.triage.restore(context, former.number);
      const parts = Object.keys(former.was).length > 0 ? await this.triage.undo(context, former) : [];
      return parts.length > 0 ? parts.map((part) => PART_WORDS[part]).join(', ') : undefined;
    } catch (error) {
      if (error instanceof NotFound) return former.deleted ? 'restored already' : 'deleted';
      if (error instanceof DomainError) return error.message;
      throw error;
    }
  }
}

const changesOf = ([first, ...others]: readonly FormerTicket[]): string =>
  others.length === 0 ? `Change to #${first!.number}` : `Changes to ${others.length + 1} tickets`;

const PART_WORDS: Readonly<Record<UndoablePart, string>> = {
  state: 'state',
  priority: 'priority',
  tags: 'tags',
  title: 'subject',
  assignee: 'assignee',
  assignedGroup: 'group',
  mailbox: 'mailbox',
};

const MAX_NAMED = 3;

function wordsFor(leftAlone: readonly string[]): string {
  const more = leftAlone.length - MAX_NAMED;
  const named = leftAlone.slice(0, MAX_NAMED).join(', ');
  return `Skipped because of later changes: ${named}${more > 0 ? ` and ${more} more` : ''}.`;
}
