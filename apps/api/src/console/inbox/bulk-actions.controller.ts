import { type RequestContext, TicketsService, TriageService, type UndoableChange } from '#libs/desk';
import { InvalidField, DomainError } from '#libs/entities';
import { Body, Controller, Post } from '@nestjs/common';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { AssigneeDto, MailboxDto, PriorityDto, TagsDto } from '../../rest/tickets/dto/ticket-parts.dto.js';
import { ticketNumberOf } from '../../rest/tickets/ticket-number.pipe.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, validateDto } from '../form-submission.js';
import type { PageResponse, PageNotice } from '../../pages/page-response.js';
import { ReturnTo } from './ticket-on-page.decorator.js';
import { type FormerTicket, deletedTicket } from './former-tickets.js';
import { KeptUndos } from './kept-undos.js';
import { MOST_TICKETS_AT_ONCE } from './whole-search.reader.js';
import { type InboxQuery, inboxPath } from './inbox-query.js';

/** Says what can be undone of it. */
type BulkAction = (context: RequestContext, number: number) => Promise<FormerTicket | undefined>;

@Controller('tickets/bulk')
@ConsolePages()
export class ConsoleBulkActionsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
    private readonly kept: KeptUndos,
  ) {}

  /** Changes the tickets one after the other. If one is refused, the others are still changed. */
  @Post()
  async act(@Me() me: Me, @ReturnTo() back: InboxQuery, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const numbers = ticketNumbers(form);
    const action = await this.actionFor(form, body as object);
    const former: FormerTicket[] = [];
    const refusals: string[] = [];
    for (const number of numbers)
      try {
        const changed = await action(actingOf(me), number);
        if (changed) former.push(changed);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        refusals.push(`#${number}: ${error.message}`);
      }
    const { text, tone } = bulkWords(form.text('do'), numbers.length, refusals);
    const notice = await this.kept.notice(actingOf(me), text, { back, former });
    return { redirect: inboxPath(back), notice: { ...notice, tone } };
  }

  private async actionFor(form: FormFields, body: object): Promise<BulkAction> {
    const { tickets } = this;
    const changing =
      (wanted: UndoableChange): BulkAction =>
      (context, number) =>
        this.triage.changeUndoably(context, number, wanted);
    switch (form.text('do')) {
      case 'close':
        return changing({ state: 'closed' });
      case 'spam':
        return changing({ state: 'spam' });
      case 'reopen':
        return changing({ state: 'opened' });
      case 'priority':
        return changing({ priority: (await validateDto(PriorityDto, body)).priorityOrNull() });
      case 'delete':
        return async (context, number) => {
          await tickets.delete(context, number);
          return deletedTicket(number);
        };
      case 'restore':
        return async (context, number) => void (await tickets.restore(context, number));
      case 'assign':
        return changing({ assignee: (await validateDto(AssigneeDto, body)).assigneeOrNull() });
      case 'move':
        return changing({ mailbox: (await validateDto(MailboxDto, body)).mailbox });
      case 'tag':
        return changing({ addTags: (await validateDto(TagsDto, body)).tags });
      default:
        throw new InvalidField('do', 'unknown_action', 'Choose what to do with the tickets.');
    }
  }
}

/** Ticked one by one, or listed by the page of a whole search. */
function ticketNumbers(form: FormFields): number[] {
  const listed = form.text('tickets').split(',');
  const numbers = [...form.texts('ticket'), ...listed].map(ticketNumberOf).filter((number) => number > 0);
  return [...new Set(numbers)].slice(0, MOST_TICKETS_AT_ONCE);
}

const DONE: Readonly<Record<string, string>> = {
  close: 'closed',
  spam: 'marked as spam',
  reopen: 're-opened',
  delete: 'deleted',
  restore: 'restored',
  move: 'moved',
  tag: 'tagged',
};

/** Tells of those that were changed, also where others were refused. */
function bulkWords(what: string, count: number, refusals: readonly string[]): Pick<PageNotice, 'tone' | 'text'> {
  if (count === 0) return { tone: 'bad', text: 'Select some tickets first.' };
  const changed = count - refusals.length;
  const done = `${changed === 1 ? 'One ticket' : `${changed} tickets`} ${DONE[what] ?? 'changed'}.`;
  if (refusals.length === 0) return { tone: 'good', text: done };
  return { tone: 'bad', text: [...(changed > 0 ? [done] : []), ...refusals.slice(0, 3)].join(' ') };
}
