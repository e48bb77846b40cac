import { TICKET_PRIORITIES, TICKET_STATES, type TicketPriority, type TicketState } from '#libs/entities';
import { NONE, type TicketValues } from '#libs/tickets';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, IsInt, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { ApiDescription } from '../edge/api-operation.decorator.js';
import {
  IsAssignee,
  IsTime,
  Nullable,
  OptionalNotNull,
  Tags,
  Text,
  TextOrEmpty,
  timeOf,
} from '../edge/field-decorators.js';

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

/** Absent fields stay as they are. */
export class ChangeTicketDto {
  @ApiDescription('The new state.') @OptionalNotNull() @IsIn(TICKET_STATES) state?: TicketState;
  @ApiDescription('The new priority; null, or `none` in a form, takes it away.')
  @IsOptional()
  @IsIn([...TICKET_PRIORITIES, NONE])
  priority?: TicketPriority | typeof NONE | null;
  @ApiDescription('All tags from now on.') @OptionalNotNull() @Tags() tags?: string[];
  @ApiDescription('E-mail or id of an agent; null, or `unassigned` in a form, for nobody.')
  @IsOptional()
  @IsAssignee()
  assignee?: string | null;
  @ApiDescription('Name or id of a group; null, or `none` in a form, for no group.')
  @IsOptional()
  @Text(320)
  assigned_group?: string | null;
  @ApiDescription('The same as `assigned_group`.') @IsOptional() @Text(320) group?: string | null;
  @ApiDescription('Name, e-mail or id of a mailbox.') @OptionalNotNull() @Text(320) mailbox?: string;
  @ApiDescription('The new title; null takes it away.') @IsOptional() @TextOrEmpty(500) title?: string | null;
  @ApiDescription('A time in the future; null wakes the ticket.') @IsOptional() @IsTime() snoozed_until?: string | null;

  toInput(): TicketValues {
    const { state, priority, tags, assignee, mailbox, title, snoozed_until: until } = this;
    const group = this.assigned_group === undefined ? this.group : this.assigned_group;
    const snoozedUntil = until === null ? null : timeOf(until);
    return {
      state,
      priority: priority === NONE ? null : priority,
      tags,
      assignee: assignee === 'unassigned' ? null : assignee,
      assignedGroup: group === NONE ? null : group,
      mailbox,
      title: title === '' ? null : title,
      snoozedUntil,
    };
  }
}

export class TicketBatchDto extends ChangeTicketDto {
  @ApiDescription('Of the tickets that change, each by itself.')
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(2_147_483_647, { each: true })
  numbers: number[];
}
