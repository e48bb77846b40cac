import { TicketsService, TriageService } from '#libs/desk';
import { Body, Controller, Post } from '@nestjs/common';
import { FormFields } from '../../pages/form-fields.js';
import {
  AssignedGroupDto,
  AssigneeDto,
  MailboxDto,
  PriorityDto,
  StateDto,
  TagsDto,
  TitleDto,
} from '../../rest/tickets/dto/ticket-parts.dto.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { validateDto } from '../form-submission.js';
import { type PageResponse, redirectWithNotice } from '../../pages/page-response.js';
import { TicketOnPage } from './ticket-on-page.decorator.js';
import { inboxPath, ticketPath } from './inbox-query.js';

/** The buttons above a conversation. Each calls the same service as the API and leads back to the ticket. */
@Controller('tickets/:number')
@ConsolePages()
export class ConsoleTicketActionsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
  ) {}

  @Post('state')
  async setState(@TicketOnPage() ticket: TicketOnPage, @Body() { state }: StateDto) {
    await this.triage.setState(ticket.context, ticket.number, state);
    return backTo(ticket);
  }

  @Post('assign')
  async assign(@TicketOnPage() ticket: TicketOnPage, @Body() body: object) {
    const [agent, group] = await Promise.all([validateDto(AssigneeDto, body), validateDto(AssignedGroupDto, body)]);
    const wanted = { assignee: agent.assigneeOrNull(), assignedGroup: group.groupOrNull() };
    await this.triage.change(ticket.context, ticket.number, wanted);
    return backTo(ticket);
  }

  @Post('priority')
  async prioritise(@TicketOnPage() ticket: TicketOnPage, @Body() dto: PriorityDto) {
    await this.triage.change(ticket.context, ticket.number, { priority: dto.priorityOrNull() });
    return backTo(ticket);
  }

  @Post('tag')
  async tag(@TicketOnPage() ticket: TicketOnPage, @Body() { tags }: TagsDto) {
    await this.triage.addTags(ticket.context, ticket.number, tags);
    return backTo(ticket);
  }

  @Post('untag')
  async untag(@TicketOnPage() ticket: TicketOnPage, @Body() body: unknown) {
    await this.triage.removeTag(ticket.context, ticket.number, new FormFields(body).text('tags'));
    return backTo(ticket);
  }

  @Post('move')
  async move(@TicketOnPage() ticket: TicketOnPage, @Body() { mailbox }: MailboxDto) {
    await this.triage.change(ticket.context, ticket.number, { mailbox });
    return backTo(ticket);
  }

  @Post('title')
  async retitle(@TicketOnPage() ticket: TicketOnPage, @Body() { title }: TitleDto) {
    await this.triage.change(ticket.context, ticket.number, { title });
    return backTo(ticket);
  }

  @Post('delete')
  async delete(@TicketOnPage() { context, number, back }: TicketOnPage): Promise<PageResponse> {
    await this.tickets.delete(context, number);
    return redirectWithNotice(inboxPath(back), `Ticket #${number} deleted.`);
  }

  @Post('restore')
  async restore(@TicketOnPage() { context, number }: TicketOnPage): Promise<PageResponse> {
    await this.tickets.restore(context, number);
    return redirectWithNotice(ticketPath(number), `Ticket #${number} restored.`);
  }
}

const backTo = ({ number, back }: TicketOnPage): PageResponse => ({ redirect: ticketPath(number, back) });
