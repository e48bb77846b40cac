import { TicketsService, TriageService, type UndoableChange } from '#libs/tickets';
import { Body, Controller, Post } from '@nestjs/common';
import { FormFields } from '../../ui/form-fields.js';
import {
  AssignedGroupDto,
  AssigneeDto,
  MailboxDto,
  PriorityDto,
  StateDto,
  TagsDto,
  TitleDto,
} from '../ticket-parts.dto.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { validateDto } from '../../shell/form-submission.js';
import { type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { TicketOnPage } from './ticket-on-page.decorator.js';
import { describeChange } from './change-words.js';
import { deletedTicket } from '../../customers/index.js';
import { UndoService } from './undo.service.js';
import { inboxPath, ticketPath } from '../../shell/inbox-query.js';

/** The buttons above a conversation. Each calls the same service as the API and leads back to the ticket. */
@Controller('tickets/:number')
@ConsolePages()
export class TicketActionsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
    private readonly kept: UndoService,
  ) {}

  @Post('state')
  async setState(@TicketOnPage() ticket: TicketOnPage, @Body() { state }: StateDto) {
    return this.change(ticket, { state });
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

  @Post('title')
  async retitle(@TicketOnPage() ticket: TicketOnPage, @Body() { title }: TitleDto) {
    return this.change(ticket, { title });
  }

  @Post('delete')
  async delete(@TicketOnPage() { context, number, back }: TicketOnPage): Promise<PageResponse> {
    await this.tickets.delete(context, number);
    const undo = { back, former: [deletedTicket(number)] };
    return { redirect: inboxPath(back), notice: await this.kept.notice(context, `Ticket #${number} deleted.`, undo) };
  }

  @Post('restore')
  async restore(@TicketOnPage() { context, number }: TicketOnPage): Promise<PageResponse> {
    await this.tickets.restore(context, number);
    return redirectWithNotice(ticketPath(number), `Ticket #${number} restored.`);
  }

  private async change({ context, number, back }: TicketOnPage, wanted: UndoableChange): Promise<PageResponse> {
    const { ticket, changed } = await this.triage.changeUndoably(context, number, wanted);
    const text = describeChange(`#${number}`, wanted, ticket, context.agentId);
    const notice = await this.kept.notice(context, text, { back, former: [changed] });
    return { redirect: ticketPath(number, back), notice: { ...notice, ticket: number } };
  }
}
