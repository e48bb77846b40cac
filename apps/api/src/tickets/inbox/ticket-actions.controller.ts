import { Clock } from '#libs/database';
import { CustomerMailsService, ScheduledRepliesService, TriageService, type UndoableChange } from '#libs/tickets';
import { Body, Param, Post } from '@nestjs/common';
import { CustomerDto } from '../../customers/index.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { redirectOrExplain, validateDto } from '../../layers/shell/form-submission.js';
import { inboxPath, nextPath, ticketPath } from '../inbox-query.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import { FormFields } from '../../layers/ui/form-fields.js';
import { clockTime } from '../../layers/ui/zoned-time.js';
import { type PageResponse, redirectWithNotice } from '../../layers/ui/page-response.js';
import {
  AssignedGroupDto,
  AssigneeDto,
  MailboxDto,
  PriorityDto,
  StateDto,
  TagsDto,
  TitleDto,
} from '../ticket-parts.dto.js';
import { describeChange } from './change-words.js';
import { NO_LONGER_SNOOZED, snoozeIn } from './snooze-times.js';
import { TicketOnPage } from './ticket-on-page.decorator.js';
import { UndoService, deletedTicket } from './undo.service.js';

@ConsolePages('tickets/:number')
export class TicketActionsController {
  constructor(
    private readonly triage: TriageService,
    private readonly undos: UndoService,
    private readonly clock: Clock,
    private readonly heldReplies: ScheduledRepliesService,
    private readonly mails: CustomerMailsService,
  ) {}

  @Post('state')
  async setState(@TicketOnPage() ticket: TicketOnPage, @Body() { state }: StateDto, @Body() body: unknown) {
    const done = await this.change(ticket, { state });
    const next = new FormFields(body).text('next');
    return next === '' ? done : { ...done, redirect: nextPath(Number(next), ticket.back) };
  }

  @Post('assign')
  async assign(@TicketOnPage() ticket: TicketOnPage, @Body() body: object) {
    const [agent, group] = await Promise.all([validateDto(AssigneeDto, body), validateDto(AssignedGroupDto, body)]);
    const wanted = { assignee: agent.assigneeOrNull(), assignedGroup: group.groupOrNull() };
    return this.change(ticket, wanted);
  }

  @Post('priority')
  async prioritise(@TicketOnPage() ticket: TicketOnPage, @Body() dto: PriorityDto) {
    return this.change(ticket, { priority: dto.priorityOrNull() });
  }

  @Post('tag')
  async tag(@TicketOnPage() ticket: TicketOnPage, @Body() { tags }: TagsDto) {
    return this.change(ticket, { addTags: tags });
  }

  @Post('untag')
  async untag(@TicketOnPage() ticket: TicketOnPage, @Body() body: unknown) {
    return this.change(ticket, { removeTag: new FormFields(body).text('tags') });
  }

  @Post('move')
  async move(@TicketOnPage() ticket: TicketOnPage, @Body() { mailbox }: MailboxDto) {
    return this.change(ticket, { mailbox });
  }

  @Post('customer')
  async giveTo(@TicketOnPage() ticket: TicketOnPage, @Body() body: unknown) {
    const { email } = await validateDto(CustomerDto, new FormFields(body).pick('email'));
    return this.change(ticket, { customer: email });
  }

  @Post('title')
  async retitle(@TicketOnPage() ticket: TicketOnPage, @Body() body: unknown) {
    const { title } = await validateDto(TitleDto, { title: new FormFields(body).text('title').trim() || null });
    return this.change(ticket, { title });
  }

  @Post('delete')
  async delete(@TicketOnPage() { context, number, back }: TicketOnPage): Promise<PageResponse> {
    await this.triage.delete(context, number);
    const undo = { back, former: [deletedTicket(number)] };
    return { redirect: inboxPath(back), notice: await this.undos.notice(context, `Ticket #${number} deleted.`, undo) };
  }

  @Post('restore')
  async restore(@TicketOnPage() { context, number }: TicketOnPage): Promise<PageResponse> {
    await this.triage.restore(context, number);
    return redirectWithNotice(ticketPath(number), `Ticket #${number} restored.`);
  }

  @Post('snooze')
  async snooze(@Me() { timeZone }: Me, @TicketOnPage() ticket: TicketOnPage, @Body() body: unknown) {
    const { snoozedUntil, words } = snoozeIn(new FormFields(body), this.clock.now(), timeZone);
    return this.change(ticket, { snoozedUntil }, words);
  }

  @Post('wake')
  wake(@TicketOnPage() ticket: TicketOnPage): Promise<PageResponse> {
    return this.change(ticket, { snoozedUntil: null }, NO_LONGER_SNOOZED);
  }

  @Post('replies/:id/undo')
  undo(@Me() { timeZone }: Me, @TicketOnPage() ticket: TicketOnPage, @Param('id') id: string): Promise<PageResponse> {
    return redirectOrExplain(ticketPath(ticket.number, ticket.back), 'not_held', async () => {
      const { isNote, isOwn, scheduledFor } = await this.heldReplies.undo(ticket.context, id);
      const time = scheduledFor && clockTime(scheduledFor, this.clock.now(), timeZone);
      const done = time === null ? 'Sending undone.' : `No longer scheduled for ${time}.`;
      if (isNote) return `${done} The text was added above your note.`;
      return `${done} ${isOwn ? 'Your draft is back.' : 'It is now your draft.'}`;
    });
  }

  @Post('replies/:id/send')
  sendNow(@TicketOnPage() ticket: TicketOnPage, @Param('id') id: string): Promise<PageResponse> {
    return redirectOrExplain(ticketPath(ticket.number, ticket.back), 'not_held', async () => {
      await this.heldReplies.sendNow(ticket.context, id);
      return 'The reply is being sent.';
    });
  }

  @Post('messages/:id/send-again')
  sendAgain(@TicketOnPage() ticket: TicketOnPage, @Param('id') id: string): Promise<PageResponse> {
    return redirectOrExplain(ticketPath(ticket.number, ticket.back), 'not_sent_again', async () => {
      await this.mails.sendAgain(ticket.context, id);
      return 'The email is being resent.';
    });
  }

  private async change({ context, number, back }: TicketOnPage, wanted: UndoableChange, done?: string) {
    const { ticket, changed } = await this.triage.changeUndoably(context, number, wanted);
    if (Object.keys(changed.was).length === 0) return { redirect: ticketPath(number, back) };
    const subject = `#${number}`;
    const text = done ? `${subject} ${done}.` : describeChange(subject, wanted, ticket, context.agentId);
    const notice = await this.undos.notice(context, text, { back, former: [changed] });
    return { redirect: ticketPath(number, back), notice: { ...notice, ticket: number } };
  }
}
