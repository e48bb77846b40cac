import { type RequestContext, TicketsService, TriageService } from '#libs/desk';
import { InvalidField, DomainError } from '#libs/entities';
import { Body, Controller, Post } from '@nestjs/common';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { AssigneeDto, MailboxDto, TagsDto } from '../../rest/tickets/dto/ticket-parts.dto.js';
import { ticketNumberOf } from '../../rest/tickets/ticket-number.pipe.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, validateDto } from '../form-submission.js';
import type { PageResponse, PageNotice } from '../../pages/page-response.js';
import { ReturnTo } from './ticket-on-page.decorator.js';
import { type InboxQuery, inboxPath } from './inbox-query.js';

/** One page of the list has no more. */
const MAX_TICKETS = 100;

type BulkAction = (context: RequestContext, number: number) => Promise<unknown>;

@Controller('tickets/bulk')
@ConsolePages()
export class ConsoleBulkActionsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
  ) {}

  /** Changes the tickets one after the other. If one is refused, the others are still changed. */
  @Post()
  async act(@Me() me: Me, @ReturnTo() back: InboxQuery, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const numbers = ticketNumbers(form);
    const action = await this.actionFor(form, body as object);
    const refusals: string[] = [];
    for (const number of numbers)
      await action(actingOf(me), number).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
        refusals.push(`#${number}: ${error.message}`);
      });
    return { redirect: inboxPath(back), notice: bulkNotice(numbers.length, refusals) };
  }

  private async actionFor(form: FormFields, body: object): Promise<BulkAction> {
    const { triage, tickets } = this;
    switch (form.text('do')) {
      case 'close':
        return (context, number) => triage.setState(context, number, 'closed');
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

function ticketNumbers(form: FormFields): number[] {
  const numbers = form.texts('ticket').map(ticketNumberOf);
  return numbers.filter((number) => number > 0).slice(0, MAX_TICKETS);
}

function bulkNotice(count: number, refusals: readonly string[]): PageNotice {
  if (count === 0) return { tone: 'bad', text: 'Select some tickets first.' };
  if (refusals.length > 0) return { tone: 'bad', text: refusals.slice(0, 3).join(' ') };
  return { tone: 'good', text: count === 1 ? 'One ticket changed.' : `${count} tickets changed.` };
}
