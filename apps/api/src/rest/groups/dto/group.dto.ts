import type { GroupFields, GroupQuery } from '#libs/desk';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsOptional, IsString, MaxLength } from 'class-validator';
import { About } from '../../../http/about.js';
import { FreeText, Text, commaList } from '../../../http/fields.js';
import { PageQueryDto } from '../../../http/page-query.dto.js';

const MOST_MEMBERS = 500;

export class CreateGroupDto {
  @Text(100) name: string;
  @About('E-mails or ids of agents.')
  @IsOptional()
  @Transform(commaList)
  @IsArray()
  @ArrayMaxSize(MOST_MEMBERS)
  @IsString({ each: true })
  @MaxLength(320, { each: true })
  members?: string[];

  wanted(): GroupFields & { name: string } {
    return { name: this.name, members: this.members ?? undefined };
  }
}

export class ChangeGroupDto {
  @IsOptional() @Text(100) name?: string;
  @About('E-mails or ids of agents: all members from now on.')
  @IsOptional()
  @Transform(commaList)
  @IsArray()
  @ArrayMaxSize(MOST_MEMBERS)
  @IsString({ each: true })
  @MaxLength(320, { each: true })
  members?: string[];

  wanted(): GroupFields {
    return { name: this.name ?? undefined, members: this.members ?? undefined };
  }
}

export class GroupsQueryDto extends PageQueryDto {
  @About('E-mail or id of an agent: only the groups it belongs to.')
  @IsOptional()
  @FreeText(320)
  agent?: string;

  override wanted(): GroupQuery {
    return { ...this.pageRequest(), agent: this.agent };
  }
}
