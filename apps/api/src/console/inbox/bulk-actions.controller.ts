import { type Acting, TicketsService, TriageService } from '#libs/desk';
import { InvalidField, Refusal } from '#libs/entities';
import { Body, Controller, Post } from '@nestjs/common';
import { Form } from '../../pages/form.js';
import { Me } from '../../sign-in/session.guard.js';
import { AssigneeDto, MailboxDto, TagsDto } from '../../rest/tickets/dto/ticket-parts.dto.js';
import { DeskPages } from '../shell/desk-pages.js';
import { actingOf, checked } from '../forms.js';
import type { PageAnswer, PageNotice } from '../../pages/page.js';
import { Back } from './back.js';
import { type InboxQuery, listPath } from './inbox-query.js';

/** As many as one page of the list can tick. */
const MOST_AT_ONCE = 100;

type Deed = (acting: Acting, number: number) => Promise<unknown>;

@Controller('tickets/bulk')
@DeskPages()
export class BulkController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
  ) {}

  /** One after the other, each as if by itself: what one of them refuses does not keep the others. */
  @Post()
  async act(@Me() me: Me, @Back() back: InboxQuery, @Body() body: unknown): Promise<PageAnswer> {
    const form = new Form(body);
    const numbers = numbersOf(form);
    const deed = await this.deedOf(form, body as object);
    const refusals: string[] = [];
    for (const number of numbers)
      await deed(actingOf(me), number).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        refusals.push(`#${number}: ${error.message}`);
      });
    return { redirect: listPath(back), notice: noticeOf(numbers.length, refusals) };
  }

  private async deedOf(form: Form, body: object): Promise<Deed> {
    const { triage, tickets } = this;
    switch (form.text('do')) {
      case 'close':
        return (acting, number) => triage.setState(acting, number, 'closed');
      case 'delete':
        return (acting, number) => tickets.delete(acting, number);
      case 'restore':
        return (acting, number) => tickets.restore(acting, number);
      case 'assign': {
        const who = (await checked(AssigneeDto, body)).who();
        return (acting, number) => triage.assign(acting, number, who);
      }
      case 'move': {
        const { mailbox } = await checked(MailboxDto, body);
        return (acting, number) => triage.moveToMailbox(acting, number, mailbox);
      }
      case 'tag': {
        const { tags } = await checked(TagsDto, body);
        return (acting, number) => triage.addTags(acting, number, tags);
      }
      default:
        throw new InvalidField('do', 'unknown_deed', 'Choose what to do with the tickets.');
    }
  }
}

function numbersOf(form: Form): number[] {
  const numbers = form.texts('ticket').map(Number);
  return numbers.filter((number) => Number.isInteger(number) && number > 0).slice(0, MOST_AT_ONCE);
}

function noticeOf(count: number, refusals: readonly string[]): PageNotice {
  if (count === 0) return { tone: 'bad', text: 'Tick the tickets first.' };
  if (refusals.length > 0) return { tone: 'bad', text: refusals.slice(0, 3).join(' ') };
  return { tone: 'good', text: count === 1 ? 'One ticket changed.' : `${count} tickets changed.` };
}
