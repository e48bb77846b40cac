import { TicketsService, TriageService } from '#libs/desk';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import {
  AssignedGroupDto,
  AssigneeDto,
  MailboxDto,
  PriorityDto,
  StateDto,
  TagsDto,
  TitleDto,
} from '../../rest/tickets/dto/ticket-parts.dto.js';
import { TicketNumberPipe } from '../../rest/tickets/ticket-number.pipe.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, validateDto } from '../form-submission.js';
import { type PageResponse, redirectWithNotice } from '../../pages/page-response.js';
import { ReturnTo } from './return-to.decorator.js';
import { type InboxQuery, inboxPath, ticketPath } from './inbox-query.js';

const TicketNumber = () => Param('number', TicketNumberPipe);

/** The buttons above a conversation. Each calls the same service as the API and leads back to the ticket. */
@Controller('tickets/:number')
@ConsolePages()
export class ConsoleTicketActionsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
  ) {}

  @Post('state')
  async setState(
    @Me() me: Me,
    @TicketNumber() number: number,
    @ReturnTo() back: InboxQuery,
    @Body() { state }: StateDto,
  ) {
    await this.triage.setState(actingOf(me), number, state);
    return backToTicket(number, back);
  }

  @Post('assign')
  async assign(@Me() me: Me, @TicketNumber() number: number, @ReturnTo() back: InboxQuery, @Body() body: object) {
    const [agent, group] = await Promise.all([validateDto(AssigneeDto, body), validateDto(AssignedGroupDto, body)]);
    await this.triage.assign(actingOf(me), number, agent.assigneeOrNull());
    await this.triage.assignToGroup(actingOf(me), number, group.groupOrNull());
    return backToTicket(number, back);
  }

  @Post('priority')
  async prioritise(
    @Me() me: Me,
    @TicketNumber() number: number,
    @ReturnTo() back: InboxQuery,
    @Body() dto: PriorityDto,
  ) {
    await this.triage.set(actingOf(me), number, { priority: dto.priorityOrNull() });
    return backToTicket(number, back);
  }

  @Post('tag')
  async tag(@Me() me: Me, @TicketNumber() number: number, @ReturnTo() back: InboxQuery, @Body() { tags }: TagsDto) {
    await this.triage.addTags(actingOf(me), number, tags);
    return backToTicket(number, back);
  }

  @Post('untag')
  async untag(@Me() me: Me, @TicketNumber() number: number, @ReturnTo() back: InboxQuery, @Body() body: unknown) {
    await this.triage.removeTag(actingOf(me), number, new FormFields(body).text('tags'));
    return backToTicket(number, back);
  }

  @Post('move')
  async move(
    @Me() me: Me,
    @TicketNumber() number: number,
    @ReturnTo() back: InboxQuery,
    @Body() { mailbox }: MailboxDto,
  ) {
    await this.triage.moveToMailbox(actingOf(me), number, mailbox);
    return backToTicket(number, back);
  }

  @Post('title')
  async retitle(
    @Me() me: Me,
    @TicketNumber() number: number,
    @ReturnTo() back: InboxQuery,
    @Body() { title }: TitleDto,
  ) {
    await this.triage.set(actingOf(me), number, { title });
    return backToTicket(number, back);
  }

  @Post('delete')
  async delete(@Me() me: Me, @TicketNumber() number: number, @ReturnTo() back: InboxQuery): Promise<PageResponse> {
    await this.tickets.delete(actingOf(me), number);
    return redirectWithNotice(inboxPath(back), `Ticket #${number} deleted.`);
  }

  @Post('restore')
  async restore(@Me() me: Me, @TicketNumber() number: number): Promise<PageResponse> {
    await this.tickets.restore(actingOf(me), number);
    return redirectWithNotice(ticketPath(number), `Ticket #${number} restored.`);
  }
}

const backToTicket = (number: number, back: InboxQuery): PageResponse => ({ redirect: ticketPath(number, back) });
