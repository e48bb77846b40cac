import { TicketsService, TriageService } from '#libs/desk';
import { type Ticket } from '#libs/entities';
import { Links, TICKET_SUBRESOURCES, type TicketSubresource, ticketPayload } from '#libs/payloads';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
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
import { TICKET_PART_SCHEMAS } from './ticket-parts.schema.js';
import { TicketNumberPipe } from './ticket-number.pipe.js';

const TicketNumberParam = () => Param('number', TicketNumberPipe);
const TAG = new IdentifierPipe('tag');
const MAILBOX = new IdentifierPipe('mailbox');

@Controller('v1/tickets/:number')
export class TicketPartsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
    private readonly links: Links,
  ) {}

  @Get('state')
  @ApiOperation('Read a ticket’s state', { responseSchema: TICKET_PART_SCHEMAS.state })
  readState(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('state', caller, number);
  }

  @Put('state')
  @ApiOperation('Change a ticket’s state', {
    responseSchema: TICKET_PART_SCHEMAS.state,
    emits: ['ticket_opened', 'ticket_closed'],
  })
  async setState(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: StateDto) {
    return this.show('state', await this.triage.setState(caller, number, dto.state));
  }

  @Get('assignee')
  @ApiOperation('Read who a ticket is assigned to', { responseSchema: TICKET_PART_SCHEMAS.assignee })
  readAssignee(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('assignee', caller, number);
  }

  @Put('assignee')
  @ApiOperation('Assign a ticket to an agent, or to nobody', {
    responseSchema: TICKET_PART_SCHEMAS.assignee,
    emits: ['ticket_assigned'],
  })
  async assign(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: AssigneeDto) {
    return this.show('assignee', await this.triage.assign(caller, number, dto.assigneeOrNull()));
  }

  @Get('assigned_group')
  @ApiOperation('Read which group a ticket is assigned to', { responseSchema: TICKET_PART_SCHEMAS.assigned_group })
  readGroup(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('assigned_group', caller, number);
  }

  @Put('assigned_group')
  @ApiOperation('Assign a ticket to a group, or to none', {
    responseSchema: TICKET_PART_SCHEMAS.assigned_group,
    emits: ['ticket_assigned'],
  })
  async assignToGroup(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: AssignedGroupDto) {
    return this.show('assigned_group', await this.triage.assignToGroup(caller, number, dto.groupOrNull()));
  }

  @Get('priority')
  @ApiOperation('Read a ticket’s priority', { responseSchema: TICKET_PART_SCHEMAS.priority })
  readPriority(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('priority', caller, number);
  }

  @Put('priority')
  @ApiOperation('Change a ticket’s priority', {
    responseSchema: TICKET_PART_SCHEMAS.priority,
    emits: ['ticket_priority_changed'],
  })
  async prioritise(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: PriorityDto) {
    return this.show('priority', await this.triage.prioritise(caller, number, dto.priorityOrNull()));
  }

  @Get('tags')
  @ApiOperation('Read a ticket’s tags', { responseSchema: TICKET_PART_SCHEMAS.tags })
  readTags(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('tags', caller, number);
  }

  @Post('tags')
  @HttpCode(200)
  @ApiOperation('Add tags to a ticket', { responseSchema: TICKET_PART_SCHEMAS.tags, emits: ['ticket_tagged'] })
  async addTags(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: TagsDto) {
    return this.show('tags', await this.triage.addTags(caller, number, dto.tags));
  }

  @Put('tags')
  @ApiOperation('Replace a ticket’s tags', { responseSchema: TICKET_PART_SCHEMAS.tags, emits: ['ticket_tagged'] })
  async replaceTags(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: TagsDto) {
    return this.show('tags', await this.triage.replaceTags(caller, number, dto.tags));
  }

  @Delete('tags/:tag')
  @ApiOperation('Take a tag off a ticket', { responseSchema: TICKET_PART_SCHEMAS.tags, emits: ['ticket_tagged'] })
  async removeTag(@Caller() caller: Caller, @TicketNumberParam() number: number, @Param('tag', TAG) tag: string) {
    return this.show('tags', await this.triage.removeTag(caller, number, tag));
  }

  @Get('mailbox')
  @ApiOperation('Read which mailbox a ticket is in', { responseSchema: TICKET_PART_SCHEMAS.mailbox })
  readMailbox(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('mailbox', caller, number);
  }

  @Put('mailbox')
  @ApiOperation('Move a ticket to another mailbox', {
    responseSchema: TICKET_PART_SCHEMAS.mailbox,
    emits: ['ticket_moved'],
  })
  async move(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: MailboxDto) {
    return this.show('mailbox', await this.triage.moveToMailbox(caller, number, dto.mailbox));
  }

  @Post('change_mailbox/:mailbox_id')
  @HttpCode(200)
  @ApiOperation('Move a ticket to another mailbox', { record: ['ticket', 'Ticket'], emits: ['ticket_moved'] })
  async changeMailbox(
    @Caller() caller: Caller,
    @TicketNumberParam() number: number,
    @Param('mailbox_id', MAILBOX) id: string,
  ) {
    return { ticket: ticketPayload(await this.triage.changeMailbox(caller, number, id), this.links) };
  }

  @Get('title')
  @ApiOperation('Read a ticket’s title', { responseSchema: TICKET_PART_SCHEMAS.title })
  readTitle(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('title', caller, number);
  }

  @Put('title')
  @ApiOperation('Change a ticket’s title', { responseSchema: TICKET_PART_SCHEMAS.title })
  async retitle(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: TitleDto) {
    return this.show('title', await this.triage.retitle(caller, number, dto.title || null));
  }

  private async read(part: TicketSubresource, caller: Caller, number: number) {
    return this.show(part, await this.tickets.read(caller, number));
  }

  private show(part: TicketSubresource, ticket: Ticket) {
    return TICKET_SUBRESOURCES[part](ticket, this.links);
  }
}
