import type { AgentQuery, NewAgent } from '#libs/desk';
import { AGENT_ROLES, type AgentFields, type AgentRole } from '#libs/entities';
import { IsIn, IsOptional } from 'class-validator';
import { About } from '../../../http/about.js';
import { Email, FreeText } from '../../../http/fields.js';
import { PageQueryDto } from '../../../http/page-query.dto.js';

export class InviteAgentDto {
  @Email() email: string;
  @IsOptional() @FreeText(100) first_name?: string | null;
  @IsOptional() @FreeText(100) last_name?: string | null;
  @About('`agent` unless said otherwise.')
  @IsOptional()
  @IsIn(AGENT_ROLES)
  role?: AgentRole;

  wanted(): NewAgent {
    return {
      email: this.email.toLowerCase(),
      firstName: this.first_name ?? '',
      lastName: this.last_name ?? '',
      role: this.role ?? 'agent',
    };
  }
}

export class ChangeAgentDto {
  @IsOptional() @FreeText(100) first_name?: string | null;
  @IsOptional() @FreeText(100) last_name?: string | null;
  @IsOptional() @IsIn(AGENT_ROLES) role?: AgentRole | null;

  wanted(): AgentFields {
    return {
      firstName: this.first_name === null ? '' : this.first_name,
      lastName: this.last_name === null ? '' : this.last_name,
      role: this.role ?? undefined,
    };
  }
}

export class AgentsQueryDto extends PageQueryDto {
  @About('Name or id of a group: only its members.')
  @IsOptional()
  @FreeText(200)
  group?: string;

  override wanted(): AgentQuery {
    return { ...this.pageRequest(), group: this.group };
  }
}
