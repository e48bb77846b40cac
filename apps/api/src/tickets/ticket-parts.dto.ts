import {
  type CustomFields,
  InvalidField,
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_TITLE_CHARACTERS,
  TICKET_PRIORITIES,
  TICKET_STATES,
  type TicketPriority,
  type TicketState,
} from '#libs/entities';
import { NONE, type TicketValues } from '#libs/tickets';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, IsInt, Max, Min, ValidateIf } from 'class-validator';
import { ApiDescription } from '../layers/edge/api-operation.decorator.js';
import { MAX_TICKET_NUMBER } from '../layers/edge/path-parameter.pipes.js';
import {
  IsAssignee,
  IsCustomFields,
  IsTime,
  Nullable,
  Optional,
  OptionalNotNull,
  Tags,
  Text,
  TextOrEmpty,
  timeOf,
} from '../layers/edge/field-decorators.js';

export class StateDto {
  @ApiDescription('The new state.') @IsIn(TICKET_STATES) state: TicketState;
}

export class AssigneeDto {
  @Nullable('Email or id of an agent; null, or `unassigned` in a form, removes the assignee.', Text(320))
  assignee: string | null;

  assigneeOrNull(): string | null {
    return this.assignee === 'unassigned' ? null : this.assignee;
  }
}

export class AssignedGroupDto {
  static readonly oneOfThese = { names: ['assigned_group', 'group'], excluding: false };

  @ApiDescription('Name or id of a group; null, or `none` in a form, removes the group.')
  @ValidateIf(({ group }: AssignedGroupDto, name) => name !== null && (name !== undefined || group === undefined))
  @Text(320)
  assigned_group: string | null | undefined;
  @Optional('Alias of `assigned_group`.', Text(320)) group?: string | null;

  groupOrNull(): string | null {
    const named = this.assigned_group === undefined ? (this.group ?? null) : this.assigned_group;
    return named === NONE ? null : named;
  }
}

export class PriorityDto {
  @Nullable('The new priority; null, or `none` in a form, removes it.', IsIn([...TICKET_PRIORITIES, NONE]))
  priority: TicketPriority | typeof NONE | null;

  priorityOrNull(): TicketPriority | null {
    return this.priority === NONE ? null : this.priority;
  }
}

export class TagsDto {
  static readonly bareList = 'tags';

  @ApiDescription('Tag names. The body can also be just the list.') @Tags() tags: string[];
}

export class MailboxDto {
  @ApiDescription('Name, email or id of a mailbox.') @Text(320) mailbox: string;
}

export class SnoozedUntilDto {
  @Nullable('When the snooze ends. Null ends it now.', IsTime()) snoozed_until: string | null;
}

export class TitleDto {
  static readonly oneOfThese = { names: ['title', 'subject'], excluding: false };

  @ApiDescription('The new title; null removes it.')
  @ValidateIf(({ subject }: TitleDto, title) => title !== null && (title !== undefined || subject === undefined))
  @TextOrEmpty(MAX_TITLE_CHARACTERS)
  title?: string | null;
  @Optional('Alias of `title`.', TextOrEmpty(MAX_TITLE_CHARACTERS)) subject?: string | null;

  titleOrNull(): string | null {
    return titleIn(this) ?? null;
  }
}

/** Undefined if neither name is sent. An empty title is null. */
export function titleIn({ title, subject }: Pick<ChangeTicketDto, 'title' | 'subject'>): string | null | undefined {
  const [first = subject, second = title] = [title, subject];
  if ((first || null) !== (second || null))
    throw new InvalidField('subject', 'one_of_two', 'subject and title differ; send one of them');
  return first === '' ? null : first;
}

/** Absent fields stay as they are. */
export class ChangeTicketDto {
  @OptionalNotNull('The new state.', IsIn(TICKET_STATES)) state?: TicketState;
  @Optional('The new priority; null, or `none` in a form, removes it.', IsIn([...TICKET_PRIORITIES, NONE]))
  priority?: TicketPriority | typeof NONE | null;
  @OptionalNotNull('The new tags, which replace all others.', Tags()) tags?: string[];
  @Optional('Email or id of an agent; null, or `unassigned` in a form, removes the assignee.', IsAssignee())
  assignee?: string | null;
  @Optional('Name or id of a group; null, or `none` in a form, removes the group.', Text(320))
  assigned_group?: string | null;
  @Optional('Alias of `assigned_group`.', Text(320)) group?: string | null;
  @OptionalNotNull('Name, email or id of a mailbox.', Text(320)) mailbox?: string;
  @Optional('The new title; null removes it.', TextOrEmpty(MAX_TITLE_CHARACTERS)) title?: string | null;
  @Optional('Alias of `title`.', TextOrEmpty(MAX_TITLE_CHARACTERS)) subject?: string | null;
  @Optional('When the snooze ends. Null ends it now.', IsTime()) snoozed_until?: string | null;
  @Optional('Custom fields, which replace all others. Values are text, numbers, booleans or null.', IsCustomFields())
  custom?: CustomFields | null;

  toInput(): TicketValues {
    const { state, priority, tags, assignee, mailbox, snoozed_until: until } = this;
    const group = this.assigned_group === undefined ? this.group : this.assigned_group;
    const snoozedUntil = until === null ? null : timeOf(until);
    return {
      state,
      priority: priority === NONE ? null : priority,
      tags,
      assignee: assignee === 'unassigned' ? null : assignee,
      assignedGroup: group === NONE ? null : group,
      mailbox,
      title: titleIn(this),
      snoozedUntil,
      custom: this.custom,
    };
  }
}

/** A batch takes no `external_id`, because each ticket has its own. */
export class ChangeOneTicketDto extends ChangeTicketDto {
  @Optional('Id of the ticket in your system; null removes it.', Text(MAX_EXTERNAL_ID_CHARACTERS))
  external_id?: string | null;

  override toInput(): TicketValues {
    return { ...super.toInput(), externalId: this.external_id };
  }
}

export class MergeTicketDto {
  @ApiDescription('Number of the ticket that stays.')
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_TICKET_NUMBER)
  into: number;
}

export class TicketBatchDto extends ChangeTicketDto {
  @ApiDescription('Numbers of the tickets. Each ticket is changed independently.')
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(MAX_TICKET_NUMBER, { each: true })
  numbers: number[];
}
