import { TicketsService, TriageService } from '#libs/desk';
import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { TakesForm, postedForm } from '../../http/form-parts.js';
import { Me } from '../../sign-in/session.guard.js';
import {
  AssignedGroupDto,
  AssigneeDto,
  MailboxDto,
  PriorityDto,
  StateDto,
  TagsDto,
} from '../../rest/tickets/dto/ticket-parts.dto.js';
import { TicketNumberPipe } from '../../rest/tickets/ticket-number.pipe.js';
import { DeskPages } from '../shell/desk-pages.js';
import { actingOf, checked } from '../forms.js';
import type { PageAnswer } from '../../pages/page.js';
import { Back } from './back.js';
import { ComposerFlow } from './composer.flow.js';
import { type InboxQuery, listPath, ticketPath } from './inbox-query.js';

const Number = () => Param('number', TicketNumberPipe);

/** The buttons above a conversation: each calls what the API calls, and leads back to where it was pressed. */
@Controller('tickets/:number')
@DeskPages()
export class TicketDeedsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
    private readonly composer: ComposerFlow,
  ) {}

  @Post('messages')
  @TakesForm()
  post(@Me() me: Me, @Number() number: number, @Back() back: InboxQuery, @Req() request: FastifyRequest) {
    return this.composer.post(me, number, back, postedForm(request));
  }

  @Post('state')
  async setState(@Me() me: Me, @Number() number: number, @Back() back: InboxQuery, @Body() { state }: StateDto) {
    await this.triage.setState(actingOf(me), number, state);
    return stay(number, back);
  }

  @Post('assign')
  async assign(@Me() me: Me, @Number() number: number, @Back() back: InboxQuery, @Body() body: object) {
    const [agent, group] = await Promise.all([checked(AssigneeDto, body), checked(AssignedGroupDto, body)]);
    await this.triage.assign(actingOf(me), number, agent.who());
    await this.triage.assignToGroup(actingOf(me), number, group.name());
    return stay(number, back);
  }

  @Post('priority')
  async prioritise(@Me() me: Me, @Number() number: number, @Back() back: InboxQuery, @Body() dto: PriorityDto) {
    await this.triage.prioritise(actingOf(me), number, dto.value());
    return stay(number, back);
  }

  @Post('tag')
  async tag(@Me() me: Me, @Number() number: number, @Back() back: InboxQuery, @Body() { tags }: TagsDto) {
    await this.triage.addTags(actingOf(me), number, tags);
    return stay(number, back);
  }

  @Post('untag')
  async untag(@Me() me: Me, @Number() number: number, @Back() back: InboxQuery, @Body('tags') tag: unknown) {
    await this.triage.removeTag(actingOf(me), number, String(tag));
    return stay(number, back);
  }

  @Post('move')
  async move(@Me() me: Me, @Number() number: number, @Back() back: InboxQuery, @Body() { mailbox }: MailboxDto) {
    await this.triage.moveToMailbox(actingOf(me), number, mailbox);
    return stay(number, back);
  }

  @Post('title')
  async retitle(@Me() me: Me, @Number() number: number, @Back() back: InboxQuery, @Body('title') title: unknown) {
    await this.triage.retitle(actingOf(me), number, typeof title === 'string' ? title : null);
    return stay(number, back);
  }

  @Post('delete')
  async delete(@Me() me: Me, @Number() number: number, @Back() back: InboxQuery): Promise<PageAnswer> {
    await this.tickets.delete(actingOf(me), number);
    return { redirect: listPath(back), notice: { tone: 'good', text: `Ticket #${number} deleted.` } };
  }

  @Post('restore')
  async restore(@Me() me: Me, @Number() number: number): Promise<PageAnswer> {
    await this.tickets.restore(actingOf(me), number);
    return { redirect: ticketPath(number), notice: { tone: 'good', text: `Ticket #${number} restored.` } };
  }
}

const stay = (number: number, back: InboxQuery): PageAnswer => ({ redirect: ticketPath(number, back) });
