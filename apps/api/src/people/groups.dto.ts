import type { GroupFields, GroupQuery } from '#libs/tickets';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsOptional, IsString, MaxLength } from 'class-validator';
import { ApiDescription } from '../edge/api-operation.decorator.js';
import { TextOrEmpty, Text, splitCommas } from '../edge/field-decorators.js';
import { PageQueryDto } from '../edge/page-query.dto.js';

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
