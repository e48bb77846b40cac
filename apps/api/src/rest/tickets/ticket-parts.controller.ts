import { TicketsService, TriageService } from '#libs/desk';
import { type Ticket } from '#libs/entities';
import { Links, TICKET_PARTS, type TicketPart, ticketPayload } from '#libs/payloads';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { Describe } from '../../docs/describe.js';
import { NamePipe } from '../../http/name.pipe.js';
import { BearerGuard } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import {
  AssignedGroupDto,
  AssigneeDto,
  MailboxDto,
  PriorityDto,
  StateDto,
  TagsDto,
  TitleDto,
} from './dto/ticket-parts.dto.js';
import { PART_SCHEMAS } from './ticket-parts.schema.js';
import { TicketNumberPipe } from './ticket-number.pipe.js';

const Number = () => Param('number', TicketNumberPipe);
const TAG = new NamePipe('tag');
const MAILBOX = new NamePipe('mailbox');

@Controller('v1/tickets/:number')
@UseGuards(BearerGuard)
export class TicketPartsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
    private readonly links: Links,
  ) {}

  @Get('state')
  @Describe('Read a ticket’s state', { answers: PART_SCHEMAS.state })
  readState(@Caller() caller: Caller, @Number() number: number) {
    return this.read('state', caller, number);
  }

  @Put('state')
  @Describe('Change a ticket’s state', { answers: PART_SCHEMAS.state, emits: ['ticket_opened', 'ticket_closed'] })
  async setState(@Caller() caller: Caller, @Number() number: number, @Body() dto: StateDto) {
    return this.show('state', await this.triage.setState(caller, number, dto.state));
  }

  @Get('assignee')
  @Describe('Read who a ticket is assigned to', { answers: PART_SCHEMAS.assignee })
  readAssignee(@Caller() caller: Caller, @Number() number: number) {
    return this.read('assignee', caller, number);
  }

  @Put('assignee')
  @Describe('Assign a ticket to an agent, or to nobody', {
    answers: PART_SCHEMAS.assignee,
    emits: ['ticket_assigned'],
  })
  async assign(@Caller() caller: Caller, @Number() number: number, @Body() dto: AssigneeDto) {
    return this.show('assignee', await this.triage.assign(caller, number, dto.who()));
  }

  @Get('assigned_group')
  @Describe('Read which group a ticket is assigned to', { answers: PART_SCHEMAS.assigned_group })
  readGroup(@Caller() caller: Caller, @Number() number: number) {
    return this.read('assigned_group', caller, number);
  }

  @Put('assigned_group')
  @Describe('Assign a ticket to a group, or to none', {
    answers: PART_SCHEMAS.assigned_group,
    emits: ['ticket_assigned'],
  })
  async assignToGroup(@Caller() caller: Caller, @Number() number: number, @Body() dto: AssignedGroupDto) {
    return this.show('assigned_group', await this.triage.assignToGroup(caller, number, dto.name()));
  }

  @Get('priority')
  @Describe('Read a ticket’s priority', { answers: PART_SCHEMAS.priority })
  readPriority(@Caller() caller: Caller, @Number() number: number) {
    return this.read('priority', caller, number);
  }

  @Put('priority')
  @Describe('Change a ticket’s priority', { answers: PART_SCHEMAS.priority, emits: ['ticket_priority_changed'] })
  async prioritise(@Caller() caller: Caller, @Number() number: number, @Body() dto: PriorityDto) {
    return this.show('priority', await this.triage.prioritise(caller, number, dto.value()));
  }

  @Get('tags')
  @Describe('Read a ticket’s tags', { answers: PART_SCHEMAS.tags })
  readTags(@Caller() caller: Caller, @Number() number: number) {
    return this.read('tags', caller, number);
  }

  @Post('tags')
  @HttpCode(200)
  @Describe('Add tags to a ticket', { answers: PART_SCHEMAS.tags, emits: ['ticket_tagged'] })
  async addTags(@Caller() caller: Caller, @Number() number: number, @Body() dto: TagsDto) {
    return this.show('tags', await this.triage.addTags(caller, number, dto.tags));
  }

  @Put('tags')
  @Describe('Replace a ticket’s tags', { answers: PART_SCHEMAS.tags, emits: ['ticket_tagged'] })
  async replaceTags(@Caller() caller: Caller, @Number() number: number, @Body() dto: TagsDto) {
    return this.show('tags', await this.triage.replaceTags(caller, number, dto.tags));
  }

  @Delete('tags/:tag')
  @Describe('Take a tag off a ticket', { answers: PART_SCHEMAS.tags, emits: ['ticket_tagged'] })
  async removeTag(@Caller() caller: Caller, @Number() number: number, @Param('tag', TAG) tag: string) {
    return this.show('tags', await this.triage.removeTag(caller, number, tag));
  }

  @Get('mailbox')
  @Describe('Read which mailbox a ticket is in', { answers: PART_SCHEMAS.mailbox })
  readMailbox(@Caller() caller: Caller, @Number() number: number) {
    return this.read('mailbox', caller, number);
  }

  @Put('mailbox')
  @Describe('Move a ticket to another mailbox', { answers: PART_SCHEMAS.mailbox, emits: ['ticket_moved'] })
  async move(@Caller() caller: Caller, @Number() number: number, @Body() dto: MailboxDto) {
    return this.show('mailbox', await this.triage.moveToMailbox(caller, number, dto.mailbox));
  }

  @Post('change_mailbox/:mailbox_id')
  @HttpCode(200)
  @Describe('Move a ticket to another mailbox', { one: ['ticket', 'Ticket'], emits: ['ticket_moved'] })
  async changeMailbox(@Caller() caller: Caller, @Number() number: number, @Param('mailbox_id', MAILBOX) id: string) {
    return { ticket: ticketPayload(await this.triage.changeMailbox(caller, number, id), this.links) };
  }

  @Get('title')
  @Describe('Read a ticket’s title', { answers: PART_SCHEMAS.title })
  readTitle(@Caller() caller: Caller, @Number() number: number) {
    return this.read('title', caller, number);
  }

  @Put('title')
  @Describe('Change a ticket’s title', { answers: PART_SCHEMAS.title })
  async retitle(@Caller() caller: Caller, @Number() number: number, @Body() dto: TitleDto) {
    return this.show('title', await this.triage.retitle(caller, number, dto.title || null));
  }

  private async read(part: TicketPart, caller: Caller, number: number) {
    return this.show(part, await this.tickets.read(caller, number));
  }

  private show(part: TicketPart, ticket: Ticket) {
    return TICKET_PARTS[part](ticket, this.links);
  }
}
