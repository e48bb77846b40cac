import type { Ticket } from '#libs/entities';
import { type EventKind, Links, TICKET_PARTS, type TicketPart, isEventKind } from '#libs/payloads';
import { TicketsService, TriageService } from '#libs/tickets';
import { Body, Controller, Delete, Get, Param, Post, Put, applyDecorators } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller } from '../layers/edge/caller.js';
import { timeOf } from '../layers/edge/field-decorators.js';
import { IdentifierPipe, TicketNumberOrNonePipe } from '../layers/edge/path-parameter.pipes.js';
import { ScopesByMethod } from '../layers/oauth/required-scopes.js';
import {
  AssignedGroupDto,
  AssigneeDto,
  MailboxDto,
  PriorityDto,
  SnoozedUntilDto,
  StateDto,
  TagsDto,
  TitleDto,
} from './ticket-parts.dto.js';

const ReadPart = (part: TicketPart, summary: string) =>
  applyDecorators(Get(part), ApiOperation(summary, { responseSchema: TICKET_PARTS[part].schema }) as MethodDecorator);

function changeOf(part: TicketPart) {
  const emits = eventsOfParts([part]);
  return { responseSchema: TICKET_PARTS[part].schema, ...(emits.length > 0 && { emits }) };
}

const ChangePart = (part: TicketPart, summary: string) =>
  applyDecorators(Put(part), ApiOperation(summary, changeOf(part)) as MethodDecorator);

const TicketNumberParam = () => Param('number', TicketNumberOrNonePipe);
const TAG = new IdentifierPipe('tag');
const MAILBOX = new IdentifierPipe('mailbox');

@Controller('v1/tickets/:number')
@ScopesByMethod('tickets:read', 'tickets:write')
export class TicketPartsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
    private readonly links: Links,
  ) {}

  @ReadPart('state', 'Read a ticket’s state')
  readTicketState(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('state', caller, number);
  }

  @ChangePart('state', 'Change a ticket’s state')
  async setTicketState(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: StateDto) {
    return this.show('state', await this.triage.change(caller, number, { state: dto.state }));
  }

  @ReadPart('assignee', 'Read who a ticket is assigned to')
  readTicketAssignee(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('assignee', caller, number);
  }

  @ChangePart('assignee', 'Assign a ticket to an agent, or remove the assignee')
  async assignTicket(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: AssigneeDto) {
    return this.show('assignee', await this.triage.change(caller, number, { assignee: dto.assigneeOrNull() }));
  }

  @ReadPart('assigned_group', 'Read which group a ticket is assigned to')
  readTicketGroup(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('assigned_group', caller, number);
  }

  @ChangePart('assigned_group', 'Assign a ticket to a group, or remove the group')
  async assignTicketToGroup(
    @Caller() caller: Caller,
    @TicketNumberParam() number: number,
    @Body() dto: AssignedGroupDto,
  ) {
    return this.show('assigned_group', await this.triage.change(caller, number, { assignedGroup: dto.groupOrNull() }));
  }

  @ReadPart('priority', 'Read a ticket’s priority')
  readTicketPriority(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('priority', caller, number);
  }

  @ChangePart('priority', 'Change a ticket’s priority')
  async setTicketPriority(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: PriorityDto) {
    return this.show('priority', await this.triage.change(caller, number, { priority: dto.priorityOrNull() }));
  }

  @ReadPart('tags', 'Read a ticket’s tags')
  readTicketTags(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('tags', caller, number);
  }

  @Post('tags')
  @ApiOperation('Add tags to a ticket', changeOf('tags'))
  async addTicketTags(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: TagsDto) {
    return this.show('tags', await this.triage.change(caller, number, { addTags: dto.tags }));
  }

  @ChangePart('tags', 'Replace a ticket’s tags')
  async replaceTicketTags(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: TagsDto) {
    return this.show('tags', await this.triage.change(caller, number, { tags: dto.tags }));
  }

  @Delete('tags/:tag')
  @ApiOperation('Remove a tag from a ticket', changeOf('tags'))
  async removeTicketTag(@Caller() caller: Caller, @TicketNumberParam() number: number, @Param('tag', TAG) tag: string) {
    return this.show('tags', await this.triage.change(caller, number, { removeTag: tag }));
  }

  @ReadPart('mailbox', 'Read which mailbox a ticket is in')
  readTicketMailbox(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('mailbox', caller, number);
  }

  @ChangePart('mailbox', 'Move a ticket to another mailbox')
  async setTicketMailbox(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: MailboxDto) {
    return this.show('mailbox', await this.triage.change(caller, number, { mailbox: dto.mailbox }));
  }

  /** Unlike `PUT mailbox`, returns the whole ticket; an unknown mailbox is not found, because it is part of the URL. */
  @Post('change_mailbox/:mailbox_id')
  @ApiOperation('Move a ticket to another mailbox', { record: ['ticket', 'Ticket'], emits: ['ticket_moved'] })
  moveTicket(@Caller() caller: Caller, @TicketNumberParam() number: number, @Param('mailbox_id', MAILBOX) id: string) {
    return this.triage.changeMailbox(caller, number, id);
  }

  @ReadPart('title', 'Read a ticket’s title')
  readTicketTitle(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('title', caller, number);
  }

  @ChangePart('title', 'Change a ticket’s title')
  async setTicketTitle(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: TitleDto) {
    return this.show('title', await this.triage.change(caller, number, { title: dto.titleOrNull() }));
  }

  @ReadPart('snoozed_until', 'Read until when a ticket is snoozed')
  readTicketSnooze(@Caller() caller: Caller, @TicketNumberParam() number: number) {
    return this.read('snoozed_until', caller, number);
  }

  @ChangePart('snoozed_until', 'Snooze a ticket until a time, or until its customer writes')
  async snoozeTicket(@Caller() caller: Caller, @TicketNumberParam() number: number, @Body() dto: SnoozedUntilDto) {
    return this.show(
      'snoozed_until',
      await this.triage.change(caller, number, { snoozedUntil: timeOf(dto.snoozed_until) ?? null }),
    );
  }

  private async read(part: TicketPart, caller: Caller, number: number) {
    return this.show(part, await this.tickets.read(caller, number));
  }

  private show(part: TicketPart, ticket: Ticket) {
    return TICKET_PARTS[part].payload(ticket, this.links);
  }
}

function eventsOfParts(parts: readonly TicketPart[]): EventKind[] {
  const kinds = parts.flatMap((part): readonly string[] => {
    const { activity } = TICKET_PARTS[part];
    return typeof activity === 'string' ? [activity] : Object.values(activity);
  });
  return [...new Set(kinds)].filter(isEventKind);
}

export const ANY_PART_EVENTS = eventsOfParts(Object.keys(TICKET_PARTS) as TicketPart[]);
