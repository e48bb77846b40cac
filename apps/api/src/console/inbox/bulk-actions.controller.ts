import { type RequestContext, type TicketValues, TicketsService, TriageService } from '#libs/desk';
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
import { type FormerTicket, formerOf, undoForm, undoNotice } from './former-tickets.js';
import { KeptUndos } from './kept-undos.js';
import { MOST_TICKETS_AT_ONCE } from './whole-search.reader.js';
import { type InboxQuery, inboxPath } from './inbox-query.js';

/** What is undone of more is kept here, because a cookie cannot hold it. */
const MOST_UNDONE_BY_COOKIE = 10;

/** By the word of the form. */
const CHANGED_PARTS: Readonly<Record<string, readonly (keyof TicketValues)[] | undefined>> = {
  close: ['state'],
  spam: ['state'],
  reopen: ['state'],
  assign: ['assignee'],
  move: ['mailbox'],
  priority: ['priority'],
  tag: ['tags'],
};

type BulkAction = (context: RequestContext, number: number) => Promise<unknown>;

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
        const was = await this.former(actingOf(me), number, form.text('do'));
        await action(actingOf(me), number);
        former.push(...was);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        refusals.push(`#${number}: ${error.message}`);
      }
    const notice = bulkNotice(numbers.length, { refusals, former, back });
    if (former.length <= MOST_UNDONE_BY_COOKIE) return { redirect: inboxPath(back), notice };
    const kept = await this.kept.keep(actingOf(me), former);
    return { redirect: inboxPath(back), notice: { ...notice, undo: undoForm({ kept }, back) } };
  }

  /** What a ticket is before the action, as far as the action changes it. */
  private async former(context: RequestContext, number: number, action: string): Promise<FormerTicket[]> {
    if (action === 'delete') return [{ number, values: {}, deleted: true }];
    const parts = CHANGED_PARTS[action];
    return parts ? [formerOf(await this.tickets.read(context, number), parts)] : [];
  }

  private async actionFor(form: FormFields, body: object): Promise<BulkAction> {
    const { triage, tickets } = this;
    switch (form.text('do')) {
      case 'close':
        return (context, number) => triage.setState(context, number, 'closed');
      case 'spam':
        return (context, number) => triage.setState(context, number, 'spam');
      case 'reopen':
        return (context, number) => triage.setState(context, number, 'opened');
      case 'priority': {
        const priority = (await validateDto(PriorityDto, body)).priorityOrNull();
        return (context, number) => triage.change(context, number, { priority });
      }
      case 'delete':
        return (context, number) => tickets.delete(context, number);
      case 'restore':
        return (context, number) => tickets.restore(context, number);
      case 'assign': {
        const who = (await validateDto(AssigneeDto, body)).assigneeOrNull();
        return (context, number) => triage.change(context, number, { assignee: who });
      }
      case 'move': {
        const { mailbox } = await validateDto(MailboxDto, body);
        return (context, number) => triage.change(context, number, { mailbox });
      }
      case 'tag': {
        const { tags } = await validateDto(TagsDto, body);
        return (context, number) => triage.addTags(context, number, tags);
      }
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

interface Outcome {
  readonly refusals: readonly string[];
  readonly former: readonly FormerTicket[];
  readonly back: InboxQuery;
}

function bulkNotice(count: number, { refusals, former, back }: Outcome): PageNotice {
  if (count === 0) return { tone: 'bad', text: 'Select some tickets first.' };
  const done = undoNotice(count === 1 ? 'One ticket changed.' : `${count} tickets changed.`, back, former);
  return refusals.length > 0 ? { ...done, tone: 'bad', text: refusals.slice(0, 3).join(' ') } : done;
}
