import { type TicketValues, TicketsService, TriageService } from '#libs/desk';
import type { TicketState } from '#libs/entities';
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
import { formerOf, undoNotice } from './former-tickets.js';
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
    return this.undoable(ticket, { parts: ['state'], said: STATE_WORDS[state] }, () =>
      this.triage.setState(ticket.context, ticket.number, state),
    );
  }

  @Post('assign')
  async assign(@TicketOnPage() ticket: TicketOnPage, @Body() body: object) {
    const [agent, group] = await Promise.all([validateDto(AssigneeDto, body), validateDto(AssignedGroupDto, body)]);
    const wanted = { assignee: agent.assigneeOrNull(), assignedGroup: group.groupOrNull() };
    return this.undoable(ticket, { parts: ['assignee', 'assignedGroup'], said: 'Assigned.' }, () =>
      this.triage.change(ticket.context, ticket.number, wanted),
    );
  }

  @Post('priority')
  async prioritise(@TicketOnPage() ticket: TicketOnPage, @Body() dto: PriorityDto) {
    return this.undoable(ticket, { parts: ['priority'], said: 'Priority changed.' }, () =>
      this.triage.change(ticket.context, ticket.number, { priority: dto.priorityOrNull() }),
    );
  }

  @Post('tag')
  async tag(@TicketOnPage() ticket: TicketOnPage, @Body() { tags }: TagsDto) {
    return this.undoable(ticket, { parts: ['tags'], said: 'Tagged.' }, () =>
      this.triage.addTags(ticket.context, ticket.number, tags),
    );
  }

  @Post('untag')
  async untag(@TicketOnPage() ticket: TicketOnPage, @Body() body: unknown) {
    return this.undoable(ticket, { parts: ['tags'], said: 'Tag removed.' }, () =>
      this.triage.removeTag(ticket.context, ticket.number, new FormFields(body).text('tags')),
    );
  }

  @Post('move')
  async move(@TicketOnPage() ticket: TicketOnPage, @Body() { mailbox }: MailboxDto) {
    return this.undoable(ticket, { parts: ['mailbox'], said: 'Moved.' }, () =>
      this.triage.change(ticket.context, ticket.number, { mailbox }),
    );
  }

  @Post('title')
  async retitle(@TicketOnPage() ticket: TicketOnPage, @Body() { title }: TitleDto) {
    return this.undoable(ticket, { parts: ['title'], said: 'Subject saved.' }, () =>
      this.triage.change(ticket.context, ticket.number, { title }),
    );
  }

  @Post('delete')
  async delete(@TicketOnPage() { context, number, back }: TicketOnPage): Promise<PageResponse> {
    await this.tickets.delete(context, number);
    const former = [{ number, values: {}, deleted: true }];
    return { redirect: inboxPath(back), notice: undoNotice(`Ticket #${number} deleted.`, back, former) };
  }

  @Post('restore')
  async restore(@TicketOnPage() { context, number }: TicketOnPage): Promise<PageResponse> {
    await this.tickets.restore(context, number);
    return redirectWithNotice(ticketPath(number), `Ticket #${number} restored.`);
  }

  /** What it was is read before, so that it can be brought back. */
  private async undoable(
    { context, number, back }: TicketOnPage,
    { parts, said }: { readonly parts: readonly (keyof TicketValues)[]; readonly said: string },
    act: () => Promise<unknown>,
  ): Promise<PageResponse> {
    const former = formerOf(await this.tickets.read(context, number), parts);
    await act();
    return { redirect: ticketPath(number, back), notice: undoNotice(said, back, [former]) };
  }
}

const STATE_WORDS: Readonly<Record<TicketState, string>> = {
  unread: 'Marked as unread.',
  opened: 'Opened.',
  pending: 'Marked as pending.',
  closed: 'Closed.',
  spam: 'Marked as spam.',
};
