import { AGENT_ROLES, type AgentFields, type AgentRole } from '#libs/entities';
import type { AgentQuery, NewAgent, GroupFields, GroupQuery } from '#libs/tickets';
import { IsIn, ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { ApiDescription } from '../layers/edge/api-operation.decorator.js';
import { Email, MAX_SIGNATURE, Optional, splitCommas, Text, TextOrEmpty } from '../layers/edge/field-decorators.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';
import { Transform } from 'class-transformer';

export class InviteAgentDto {
  @ApiDescription('The address that receives the invitation.') @Email() email: string;
  @Optional('First name.', TextOrEmpty(100)) first_name?: string | null;
  @Optional('Last name.', TextOrEmpty(100)) last_name?: string | null;
  @Optional({ words: 'The permissions of the agent.', default: 'agent' }, IsIn(AGENT_ROLES)) role?: AgentRole;

  toInput(): NewAgent {
    return {
      email: this.email.toLowerCase(),
      firstName: this.first_name ?? '',
      lastName: this.last_name ?? '',
      role: this.role ?? 'agent',
    };
  }
}

export class ChangeAgentDto {
  @Optional('First name.', TextOrEmpty(100)) first_name?: string | null;
  @Optional('Last name.', TextOrEmpty(100)) last_name?: string | null;
  @Optional(
    'Appended to the agent’s replies by email. `{{agent}}`, `{{mailbox}}` and `{{account}}` are replaced by names.',
    TextOrEmpty(MAX_SIGNATURE),
  )
  signature?: string | null;
  @Optional('The new role.', IsIn(AGENT_ROLES)) role?: AgentRole | null;

  toInput(): AgentFields {
    return {
      firstName: this.first_name === null ? '' : this.first_name,
      lastName: this.last_name === null ? '' : this.last_name,
      role: this.role ?? undefined,
      signature: this.signature === null ? '' : this.signature,
    };
  }
}

export class AgentsQueryDto extends PageQueryDto {
  @Optional('Name or id of a group. Lists only its members.', TextOrEmpty(200)) group?: string;

  override toQuery(): AgentQuery {
    return { ...super.toQuery(), group: this.group };
  }
}

const MAX_MEMBERS = 500;

const Members = (description: string) =>
  Optional(
    description,
    Transform(splitCommas),
    IsArray(),
    ArrayMaxSize(MAX_MEMBERS),
    IsString({ each: true }),
    MaxLength(320, { each: true }),
  );

export class CreateGroupDto {
  @ApiDescription('Unique in the account.') @Text(100) name: string;
  @Members('Emails or ids of agents.') members?: string[];
  @Members('Alias of `members`.') agents?: string[];

  toInput(): GroupFields & { name: string } {
    return { name: this.name, members: this.members ?? this.agents ?? undefined };
  }
}

export class ChangeGroupDto {
  @Optional('The new name.', Text(100)) name?: string;
  @Members('Emails or ids of agents. Replaces the list of members.') members?: string[];
  @Members('Alias of `members`.') agents?: string[];

  toInput(): GroupFields {
    return { name: this.name ?? undefined, members: this.members ?? this.agents ?? undefined };
  }
}

export class GroupsQueryDto extends PageQueryDto {
  @Optional('Email or id of an agent. Lists only the groups of this agent.', TextOrEmpty(320)) agent?: string;

  override toQuery(): GroupQuery {
    return { ...super.toQuery(), agent: this.agent };
  }
}
