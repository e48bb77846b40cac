import { AGENT_ROLES, type AgentFields, type AgentRole } from '#libs/entities';
import type { AgentQuery, NewAgent, GroupFields, GroupQuery } from '#libs/tickets';
import { IsIn, IsOptional, ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { ApiDescription } from '../edge/api-operation.decorator.js';
import { Email, MAX_SIGNATURE, TextOrEmpty, Text, splitCommas } from '../edge/field-decorators.js';
import { PageQueryDto } from '../edge/page-query.dto.js';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';

export class InviteAgentDto {
  @ApiDescription('The address that receives the invitation.') @Email() email: string;
  @ApiDescription('First name.') @IsOptional() @TextOrEmpty(100) first_name?: string | null;
  @ApiDescription('Last name.') @IsOptional() @TextOrEmpty(100) last_name?: string | null;
  @ApiDescription('The permissions of the agent.', { default: 'agent' })
  @IsOptional()
  @IsIn(AGENT_ROLES)
  role?: AgentRole;

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
  @ApiDescription('First name.') @IsOptional() @TextOrEmpty(100) first_name?: string | null;
  @ApiDescription('Last name.') @IsOptional() @TextOrEmpty(100) last_name?: string | null;
  @ApiDescription(
    'Appended to the agent’s replies in mails. `{{agent}}`, `{{mailbox}}` and `{{account}}` are replaced by names.',
  )
  @IsOptional()
  @TextOrEmpty(MAX_SIGNATURE)
  signature?: string | null;
  @ApiDescription('The new role.') @IsOptional() @IsIn(AGENT_ROLES) role?: AgentRole | null;

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
  @ApiDescription('Name or id of a group. Lists only its members.') @IsOptional() @TextOrEmpty(200) group?: string;

  override toQuery(): AgentQuery {
    return { ...super.toQuery(), group: this.group };
  }
}

const MAX_MEMBERS = 500;

const Members = () =>
  applyDecorators(
    MaxLength(320, { each: true }),
    IsString({ each: true }),
    ArrayMaxSize(MAX_MEMBERS),
    IsArray(),
    Transform(splitCommas),
    IsOptional(),
  );

export class CreateGroupDto {
  @ApiDescription('Unique in the account.') @Text(100) name: string;
  @ApiDescription('E-mails or ids of agents.') @Members() members?: string[];
  @ApiDescription('Alias of `members`.') @Members() agents?: string[];

  toInput(): GroupFields & { name: string } {
    return { name: this.name, members: this.members ?? this.agents ?? undefined };
  }
}

export class ChangeGroupDto {
  @ApiDescription('The new name.') @IsOptional() @Text(100) name?: string;
  @ApiDescription('E-mails or ids of agents. Replaces the list of members.') @Members() members?: string[];
  @ApiDescription('Alias of `members`.') @Members() agents?: string[];

  toInput(): GroupFields {
    return { name: this.name ?? undefined, members: this.members ?? this.agents ?? undefined };
  }
}

export class GroupsQueryDto extends PageQueryDto {
  @ApiDescription('E-mail or id of an agent. Lists only the groups of this agent.')
  @IsOptional()
  @TextOrEmpty(320)
  agent?: string;

  override toQuery(): GroupQuery {
    return { ...super.toQuery(), agent: this.agent };
  }
}
