import { TICKET_PRIORITIES, TICKET_STATES, type TicketPriority, type TicketState } from '#libs/entities';
import { NONE } from '#libs/tickets';
import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import { ApiDescription } from '../edge/api-description.js';
import { TextOrEmpty, IsTime, Nullable, Tags, Text } from '../edge/field-decorators.js';

export class StateDto {
  @ApiDescription('The new state.') @IsIn(TICKET_STATES) state: TicketState;
}

export class AssigneeDto {
  @ApiDescription('E-mail or id of an agent; null, or `unassigned` in a form, for nobody.')
  @Nullable()
  @Text(320)
  assignee: string | null;

  assigneeOrNull(): string | null {
    return this.assignee === 'unassigned' ? null : this.assignee;
  }
}

export class AssignedGroupDto {
  static readonly oneOfThese = { names: ['assigned_group', 'group'], excluding: false };

  @ApiDescription('Name or id of a group; null, or `none` in a form, for no group.')
  @ValidateIf(({ group }: AssignedGroupDto, name) => name !== null && (name !== undefined || group === undefined))
  @Text(320)
  assigned_group: string | null | undefined;
  @ApiDescription('The same as `assigned_group`.') @IsOptional() @Text(320) group?: string | null;

  groupOrNull(): string | null {
    const named = this.assigned_group === undefined ? (this.group ?? null) : this.assigned_group;
    return named === NONE ? null : named;
  }
}

export class PriorityDto {
  @ApiDescription('Null, or `none` in a form, takes it away.')
  @Nullable()
  @IsIn([...TICKET_PRIORITIES, NONE])
  priority: TicketPriority | typeof NONE | null;

  priorityOrNull(): TicketPriority | null {
    return this.priority === NONE ? null : this.priority;
  }
}

export class TagsDto {
  static readonly bareList = 'tags';

  @ApiDescription('Names of tags; the bare list will do as well.') @Tags() tags: string[];
}

export class MailboxDto {
  @ApiDescription('Name, e-mail or id of a mailbox.') @Text(320) mailbox: string;
}

export class SnoozedUntilDto {
  @ApiDescription('A time in the future; null wakes the ticket.')
  @Nullable()
  @IsTime()
  snoozed_until: string | null;
}

export class TitleDto {
  @ApiDescription('Null takes it away.') @Nullable() @TextOrEmpty(500) title: string | null;
}
