import { InvalidField, DomainError } from '#libs/entities';
import { type RequestContext, TicketsService, TriageService, type UndoableChange } from '#libs/tickets';
import { Body, Controller, Post } from '@nestjs/common';
import { FormFields } from '../../ui/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { AssigneeDto, MailboxDto, PriorityDto, TagsDto } from '../ticket-parts.dto.js';
import { ticketNumberOf } from '../../edge/ticket-number.pipe.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { actingOf, validateDto } from '../../shell/form-submission.js';
import type { PageResponse, PageNotice } from '../../ui/page-response.js';
import { ReturnTo } from './ticket-on-page.decorator.js';
import { describeChange } from './change-words.js';
import { type FormerTicket, deletedTicket } from '../../customers/index.js';
import { UndoService } from './undo.service.js';
import { MAX_TICKETS_AT_ONCE } from './whole-search.reader.js';
import { type InboxQuery, inboxPath } from '../../shell/inbox-query.js';

interface Done {
  /** The state to restore on undo. */
  readonly former?: FormerTicket;
  readonly describe: (subject: string) => string;
}

type BulkAction = (context: RequestContext, number: number) => Promise<Done>;

@Controller('tickets/bulk')
@ConsolePages()
export class BulkActionsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
    private readonly kept: UndoService,
  ) {}

  /** Changes the tickets one after the other. If one is refused, the others are still changed. */
  @Post()
  async act(@Me() me: Me, @ReturnTo() back: InboxQuery, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const numbers = ticketNumbers(form);
    const action = await this.actionFor(form, body as object);
    const done = new Map<number, Done>();
    const refusals: string[] = [];
    for (const number of numbers)
      try {
        done.set(number, await action(actingOf(me), number));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        refusals.push(`#${number}: ${error.message}`);
      }
    const former = [...done.values()].flatMap((one) => one.former ?? []);
    const { text, tone } = bulkWords(done, refusals);
    const notice = await this.kept.notice(actingOf(me), text, { back, former });
    return { redirect: inboxPath(back), notice: { ...notice, tone } };
  }

  private async actionFor(form: FormFields, body: object): Promise<BulkAction> {
    const { tickets } = this;
    const changing =
      (wanted: UndoableChange): BulkAction =>
      async (context, number) => {
        const { ticket, changed } = await this.triage.changeUndoably(context, number, wanted);
        return { former: changed, describe: (subject) => describeChange(subject, wanted, ticket, context.agentId) };
      };
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
          return { former: deletedTicket(number), describe: (subject) => `${subject} deleted.` };
        };
      case 'restore':
        return async (context, number) => {
          await tickets.restore(context, number);
          return { describe: (subject) => `${subject} restored.` };
        };
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
  return [...new Set(numbers)].slice(0, MAX_TICKETS_AT_ONCE);
}

/** Describes the changed tickets as well as the refusals. */
function bulkWords(done: ReadonlyMap<number, Done>, refusals: readonly string[]): Pick<PageNotice, 'tone' | 'text'> {
  const [first] = done;
  if (!first && refusals.length === 0) return { tone: 'bad', text: 'Select some tickets first.' };
  const changed = first ? [first[1].describe(done.size === 1 ? `#${first[0]}` : `${done.size} tickets`)] : [];
  return { tone: refusals.length === 0 ? 'good' : 'bad', text: [...changed, ...refusals.slice(0, 3)].join(' ') };
}
