import { FOLDER_IDS, type FolderId, NONE, TICKET_SORTS, type TicketQuery, type TicketSort } from '#libs/desk';
import { TICKET_PRIORITIES, TICKET_STATES, type TicketPriority, type TicketState } from '#libs/entities';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';
import { About } from '../../../http/about.js';
import { FreeText, Time, commaList, timeOf } from '../../../http/fields.js';
import { PageQueryDto } from '../../../http/page-query.dto.js';

export class TicketsQueryDto extends PageQueryDto {
  @IsOptional() @IsIn(FOLDER_IDS) folder?: FolderId;
  @About('E-mail or id.')
  @IsOptional()
  @FreeText(320)
  customer?: string;
  @About('E-mail or id of an agent, or `unassigned`.')
  @IsOptional()
  @FreeText(320)
  assignee?: string;
  @About('Name or id of a group, or `none`.')
  @IsOptional()
  @FreeText(320)
  assigned_group?: string;
  @About('One or several, separated by commas.')
  @IsOptional()
  @Transform(commaList)
  @IsIn(TICKET_STATES, { each: true })
  state?: TicketState[];
  @About('Name, e-mail or id.')
  @IsOptional()
  @FreeText(320)
  mailbox?: string;
  @IsOptional() @FreeText(100) tag?: string;
  @IsOptional() @IsIn([...TICKET_PRIORITIES, NONE]) priority?: TicketPriority | typeof NONE;
  @IsOptional() @Time() created_since?: string;
  @IsOptional() @Time() created_before?: string;
  @IsOptional() @Time() updated_since?: string;
  @About('Words that all stand somewhere in the title or the messages; the beginning of a word will do.')
  @IsOptional()
  @FreeText(500)
  q?: string;
  @About('Newest first unless said otherwise.')
  @IsOptional()
  @IsIn(TICKET_SORTS)
  sort?: TicketSort;

  override wanted(): TicketQuery {
    return {
      ...this.pageRequest(),
      folder: this.folder,
      customer: this.customer,
      assignee: this.assignee === 'unassigned' ? null : this.assignee,
      assignedGroup: this.assigned_group === NONE ? null : this.assigned_group,
      states: this.state,
      mailbox: this.mailbox,
      tag: this.tag,
      priority: this.priority === NONE ? null : this.priority,
      createdSince: timeOf(this.created_since),
      createdBefore: timeOf(this.created_before),
      updatedSince: timeOf(this.updated_since),
      q: this.q,
      sort: this.sort ?? '-created_at',
    };
  }
}

export class CountQueryDto {
  @About('Name, e-mail or id: only what is in this mailbox.')
  @IsOptional()
  @FreeText(320)
  mailbox?: string;
}
